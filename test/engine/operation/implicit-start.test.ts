import assert from 'node:assert/strict';
import { processInstances, tasks } from '../../../src/engine/collections.js';
import { bpmn, element, line } from '../../support/bpmn.js';
import { admin, EngineHarness } from '../../support/engine-harness.js';

const task = (id: string) => element('userTask', id);

describe('a process without a start event', () => {
  let engine: EngineHarness;
  beforeEach(() => {
    engine = new EngineHarness();
  });
  afterEach(() => {
    for (const { id } of engine.all(processInstances)) {
      const { stored, again } = engine.replayed(id);
      assert.deepEqual(again, stored);
    }
  });

  const completeAll = async () => {
    for (const { id } of engine.all(tasks)) await engine.run(engine.api.completeTask, { taskId: id }, admin);
    await engine.settle();
  };

  it('is called as any other', async () => {
    await engine.deploy(bpmn(task('a') + task('b'), { key: 'q' }), 'called');
    await engine.deploy(bpmn(element('callActivity', 'c', { calledElement: 'q' })));
    const id = await engine.start();
    await engine.settle();
    assert.deepEqual(
      engine
        .all(tasks)
        .map(({ elementId }) => elementId)
        .sort(),
      ['a', 'b'],
    );
    await completeAll();
    assert.equal(engine.instance(id).actor.value, 'completed');
  });

  it('begins at as many elements as there are, also in a sub-process', async () => {
    const ids = Array.from({ length: 60 }, (_, index) => `t${index}`);
    const many = ids.map(task).join('');
    await engine.deploy(bpmn(many));
    const first = await engine.start();
    assert.equal(engine.all(tasks).length, 60);
    await completeAll();
    assert.equal(engine.instance(first).actor.value, 'completed');

    await engine.deploy(bpmn(line(['sub'], element('subProcess', 'sub', {}, many))));
    const second = await engine.start();
    assert.equal(engine.all(tasks).length, 60);
    await completeAll();
    assert.equal(engine.instance(second).actor.value, 'completed');
  });
});
