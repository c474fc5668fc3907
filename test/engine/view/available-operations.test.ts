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
    await engine.run(engine.api.suspendProcessInstance, { id: engine.task().instanceId }, admin);
    assert.deepEqual(offered(), ['setVariables']);
  });

  it('of an external task are those of its state, by the names of the API', async () => {
    const engine = new EngineHarness();
    const task = element('serviceTask', 'work', { 'camunda:type': 'external', 'camunda:topic': 'work' });
    await engine.deploy(bpmn(line(['work'], task)));
    const id = await engine.start();
    const offered = (now = 0) => engine.all(externalTasks).flatMap((one) => externalTaskOperations(one, now));
    assert.deepEqual(offered(), ['fetchAndLock', 'setExternalTaskRetries']);
    const topics = [{ topicName: 'work', lockDurationMs: 1_000 }];
    await engine.run(engine.api.fetchAndLock, { workerId: 'w', maxTasks: 1, topics, now: 0 }, admin);
    const locked = [
      ...['extendExternalTaskLock', 'unlockExternalTask', 'completeExternalTask'],
      ...['externalTaskBpmnError', 'failExternalTask', 'setExternalTaskRetries'],
    ];
    assert.deepEqual(offered(), locked);
    assert.deepEqual(offered(1_000), ['fetchAndLock', ...locked.slice(1)]);
    const mutations = Object.keys(
      makeSchema({ typeDefs: readTypeDefs(), resolvers: apiResolvers }).schema.getMutationType()?.getFields() ?? {},
    );
    assert.deepEqual(
      ['fetchAndLock', ...locked].filter((name) => !mutations.includes(name)),
      [],
    );
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    assert.deepEqual(offered(), ['unlockExternalTask', 'setExternalTaskRetries']);
    await engine.run(engine.api.activateProcessInstance, { id }, admin);
    const taskId = engine.all(externalTasks)[0]?.id ?? '';
    const failed = { taskId, workerId: 'w', retries: 1, retryAfterMs: 500, now: 0 };
    await engine.run(engine.api.failExternalTask, failed, admin);
    assert.deepEqual(offered(499), ['setExternalTaskRetries']);
    assert.deepEqual(offered(500), ['fetchAndLock', 'setExternalTaskRetries']);
  });
});
