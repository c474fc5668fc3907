import assert from 'node:assert/strict';
import {
  definitionModels,
  deployments,
  processInstances,
  runId,
  runs,
  taskComments,
} from '../../../src/engine/collections.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { put } from '../../../src/store/index.js';
import { bpmn, flows } from '../../support/bpmn.js';
import { admin, ann, EngineHarness } from '../../support/engine-harness.js';

const system = systemCaller('test');

describe('cleanHistory', () => {
  it('erases what ended long enough ago with all that is known of it, a few at a time', async () => {
    const harness = new EngineHarness();
    await harness.deploy(bpmn(`<bpmn:startEvent id="s"/><bpmn:endEvent id="e"/>${flows('s', 'e')}`));
    for (let i = 0; i < 5; i++) await harness.start();
    const endedBefore = harness.now + 1;
    assert.equal(await harness.run(harness.engine.jobs.cleanHistory, { endedBefore }, system), true);
    assert.equal(harness.all(processInstances).length, 2);
    while (await harness.run(harness.engine.jobs.cleanHistory, { endedBefore }, system));
    assert.deepEqual([harness.all(processInstances), harness.all(runs)], [[], []]);
  });

  it('erases what ended before, not what ended then', async () => {
    const harness = new EngineHarness();
    await harness.deploy(bpmn(`<bpmn:startEvent id="s"/><bpmn:endEvent id="e"/>${flows('s', 'e')}`));
    await harness.start();
    const clean = (endedBefore: number) => harness.run(harness.engine.jobs.cleanHistory, { endedBefore }, system);
    assert.equal(await clean(harness.now), false);
    assert.equal(harness.all(processInstances).length, 1);
    assert.equal(await clean(harness.now + 1), true);
    assert.equal(harness.all(processInstances).length, 0);
    assert.equal(harness.all(definitionModels).length, 1, 'its process can be started again');
  });

  it('erases much of one instance in parts, and says that there is more', async () => {
    const harness = new EngineHarness();
    await harness.deploy(
      bpmn(`<bpmn:startEvent id="s"/><bpmn:userTask id="t"/><bpmn:endEvent id="e"/>${flows('s', 't', 'e')}`),
    );
    const id = await harness.start();
    const { id: taskId } = harness.task();
    for (let n = 0; n < 41; n++) await harness.run(harness.api.addTaskComment, { taskId, message: 'm' }, ann);
    await harness.run(harness.api.cancelProcessInstance, { id }, ann);
    const [run] = harness.all(runs);
    assert.ok(run !== undefined);
    const more = Array.from({ length: 150 }, (_, n) => put(runs, { ...run, id: runId(id, n + 1), n: n + 1 }));
    harness.documents.apply([...more, put(processInstances, { ...harness.instance(id), runs: 150 })]);
    const [deployment] = harness.all(deployments);
    await harness.run(harness.api.deleteDeployment, { id: deployment?.id ?? '' }, admin);
    await harness.settle();
    const left: number[][] = [];
    while (await harness.run(harness.engine.jobs.cleanHistory, { endedBefore: harness.now + 1 }, system))
      left.push([taskComments, runs, definitionModels].map((collection) => harness.all(collection as never).length));
    assert.deepEqual(left, [
      [21, 50, 1],
      [1, 0, 1],
      [0, 0, 0],
    ]);
    assert.equal(harness.all(processInstances).length, 0);
  });

  it('erases the model of a process that is deleted with the last of its instances, whatever other processes have', async () => {
    const harness = new EngineHarness();
    const model = (key: string) => bpmn(`<bpmn:startEvent id="s"/><bpmn:endEvent id="e"/>${flows('s', 'e')}`, { key });
    await harness.deploy(model('p'));
    await harness.deploy(model('q'), 'other');
    const [first, second] = [await harness.start(), await harness.start()];
    harness.now += 1000;
    await harness.run(harness.api.startProcess, { definitionKey: 'q' }, ann);
    const [deployment] = harness.all(deployments);
    await harness.run(harness.api.deleteDeployment, { id: deployment?.id ?? '' }, admin);
    await harness.settle();
    const models = () => harness.all(definitionModels).map(({ id }) => id.slice(0, 1));
    assert.deepEqual(models(), ['p', 'q'], 'they tell what the instances did');
    const later = harness.instance(second);
    harness.documents.apply([put(processInstances, { ...later, endTime: later.startTime + 1 })]);
    const clean = (endedBefore: number) => harness.run(harness.engine.jobs.cleanHistory, { endedBefore }, system);
    await clean(harness.instance(first).startTime + 1);
    assert.deepEqual(models(), ['p', 'q'], 'one of its instances is left');
    await clean(later.startTime + 2);
    assert.deepEqual(models(), ['q']);
  });

  it('leaves what runs, and what ended later', async () => {
    const harness = new EngineHarness();
    await harness.deploy(
      bpmn(`<bpmn:startEvent id="s"/><bpmn:userTask id="t"/><bpmn:endEvent id="e"/>${flows('s', 't', 'e')}`),
    );
    await harness.start();
    assert.equal(await harness.run(harness.engine.jobs.cleanHistory, { endedBefore: harness.now + 1 }, system), false);
    assert.equal(harness.all(processInstances).length, 1);
  });
});
