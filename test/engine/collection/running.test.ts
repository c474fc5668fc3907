import assert from 'node:assert/strict';
import { processInstances, tasks } from '../../../src/engine/collections.js';
import { bpmn, element, line } from '../../support/bpmn.js';
import { admin, ann, EngineHarness } from '../../support/engine-harness.js';

describe('a list of instances', () => {
  it('tells apart those that run, that are suspended, and that have incidents', async () => {
    const engine = new EngineHarness();
    engine.handlers.register('worker', () => {
      throw new Error('the service is away');
    });
    await engine.deploy(bpmn(line(['call'], element('serviceTask', 'call', { 'camunda:class': 'worker' }))));
    const [failed, suspended, ended] = [await engine.start(), await engine.start(), await engine.start()];
    await engine.run(engine.api.suspendProcessInstance, { id: suspended }, admin);
    await engine.run(engine.api.cancelProcessInstance, { id: ended }, admin);
    await engine.runDue();
    const of = (column: string) =>
      [failed, suspended, ended].map((id) => processInstances.columns[column]?.(engine.instance(id)));
    const { definitionId } = engine.instance(failed);
    assert.deepEqual(of('active'), [1, 1, 0]);
    assert.deepEqual(of('suspended'), [0, 1, 0]);
    assert.deepEqual(of('withIncidents'), [1, null, null]);
    assert.deepEqual(of('runningOf'), [definitionId, definitionId, null]);
  });
});

describe('the size of an instance', () => {
  it('is that of what its runs have filled: an incident and a suspension can always be written', async () => {
    const engine = new EngineHarness();
    engine.handlers.register('worker', () => {
      throw new Error('the service is away');
    });
    await engine.deploy(bpmn(line(['call'], element('serviceTask', 'call', { 'camunda:class': 'worker' }))));
    const id = await engine.start();
    const before = processInstances.counted?.(engine.instance(id));
    await engine.runDue();
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    const { incidentCount, actor } = engine.instance(id);
    assert.deepEqual([incidentCount, actor.value], [1, 'suspended']);
    assert.deepEqual(processInstances.counted?.(engine.instance(id)), before);
  });
});

describe('a list of tasks', () => {
  it('tells apart those that nobody has', async () => {
    const engine = new EngineHarness();
    await engine.deploy(bpmn(line(['work'], element('userTask', 'work'))));
    await engine.start();
    const unassigned = () => engine.state().range(tasks, 'unassigned', [1], 9).length;
    assert.equal(unassigned(), 1);
    await engine.run(engine.api.claimTask, { taskId: engine.task().id }, ann);
    assert.equal(unassigned(), 0);
  });
});
