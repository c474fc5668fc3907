import assert from 'node:assert/strict';
import { externalTasks } from '../../../src/engine/collections.js';
import { externalTaskOperations, instanceOperations, taskOperations } from '../../../src/engine/reading.js';
import { apiResolvers, makeSchema, readTypeDefs } from '../../../src/graphql/index.js';
import { bpmn, element, line } from '../../support/bpmn.js';
import { admin, ann, EngineHarness } from '../../support/engine-harness.js';

const oneTask = bpmn(line(['work'], element('userTask', 'work')));

describe('available operations', () => {
  it('of an instance are those that can be asked for, not what the engine tells it', async () => {
    const engine = new EngineHarness();
    await engine.deploy(oneTask);
    const id = await engine.start();
    assert.deepEqual(instanceOperations(engine.instance(id)), [
      'suspend',
      'cancel',
      'migrate',
      'setVariables',
      'modify',
    ]);
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    assert.deepEqual(instanceOperations(engine.instance(id)), [
      'activate',
      'cancel',
      'migrate',
      'setVariables',
      'modify',
    ]);
    await engine.run(engine.api.cancelProcessInstance, { id }, admin);
    assert.deepEqual(instanceOperations(engine.instance(id)), []);
  });

  it('of a task offer claiming while it is free, and giving back while it is not', async () => {
    const engine = new EngineHarness();
    await engine.deploy(oneTask);
    await engine.start();
    const offered = () => taskOperations(engine.task());
    const always = ['update', 'bpmnError', 'escalation', 'setVariables'];
    assert.deepEqual(offered(), ['claim', 'assign', 'delegate', 'complete', ...always]);
    await engine.run(engine.api.assignTask, { taskId: engine.task().id, assignee: 'ann' }, admin);
    assert.deepEqual(offered(), ['unclaim', 'assign', 'delegate', 'complete', ...always]);
    await engine.run(engine.api.delegateTask, { taskId: engine.task().id, assignee: 'bob' }, ann);
    assert.deepEqual(offered(), ['unclaim', 'assign', 'delegate', 'resolve', ...always]);
  });

  it('of an external task are those of its state, by the names of the API', async () => {
    const engine = new EngineHarness();
    const task = element('serviceTask', 'work', { 'camunda:type': 'external', 'camunda:topic': 'work' });
    await engine.deploy(bpmn(line(['work'], task)));
    const id = await engine.start();
    const offered = () => engine.all(externalTasks).flatMap((one) => externalTaskOperations(one));
    assert.deepEqual(offered(), ['fetchAndLock', 'setExternalTaskRetries']);
    const topics = [{ topicName: 'work', lockDurationMs: 1_000 }];
    await engine.run(engine.api.fetchAndLock, { workerId: 'w', maxTasks: 1, topics, now: 0 }, admin);
    const locked = [
      ...['fetchAndLock', 'extendExternalTaskLock', 'unlockExternalTask', 'completeExternalTask'],
      ...['externalTaskBpmnError', 'failExternalTask', 'setExternalTaskRetries'],
    ];
    assert.deepEqual(offered(), locked);
    const mutations = Object.keys(
      makeSchema({ typeDefs: readTypeDefs(), resolvers: apiResolvers }).schema.getMutationType()?.getFields() ?? {},
    );
    assert.deepEqual(
      locked.filter((name) => !mutations.includes(name)),
      [],
    );
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    assert.deepEqual(offered(), ['unlockExternalTask', 'setExternalTaskRetries']);
  });
});
