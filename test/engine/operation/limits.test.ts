import assert from 'node:assert/strict';
import { processVariables, taskVariables } from '../../../src/engine/index.js';
import { bpmn, element, extended, flows, line } from '../../support/bpmn.js';
import { admin, ann, EngineHarness, inputs, refusalOf } from '../../support/engine-harness.js';

async function waiting() {
  const engine = new EngineHarness();
  await engine.deploy(bpmn(line(['work'], element('userTask', 'work'))));
  const id = await engine.start({ a: 1, b: 2 });
  return { engine, id, taskId: engine.task().id };
}

describe('texts that callers give', () => {
  it('have limits', async () => {
    const { engine, id, taskId } = await waiting();
    const long = 'x'.repeat(20_000);
    const { api } = engine;
    const refusals = await Promise.all(
      [
        engine.start({}, ann, long),
        engine.run(api.addTaskComment, { taskId, message: long }, ann),
        engine.run(api.assignTask, { taskId, assignee: long }, admin),
        engine.run(api.cancelProcessInstance, { id, reason: long }, admin),
        engine.run(api.createIncident, { processInstanceId: id, type: 't', message: long }, admin),
        engine.run(api.publishSignal, { signalName: 's', variables: inputs({ long }) }, ann),
        engine.run(api.deployProcess, { name: long, resources: [{ name: 'a', content: 'b' }] }, admin),
      ].map(refusalOf),
    );
    for (const refusal of refusals) assert.match(refusal, /^LIMIT_EXCEEDED: expected at most \d+ characters/);
    assert.equal(engine.instance(id).actor.value, 'active');
  });
});

describe('the variables of a task', () => {
  it('are those of all scopes around it, its own first', async () => {
    const { engine, id, taskId } = await waiting();
    await engine.run(engine.api.setTaskVariables, { taskId, variables: inputs({ b: 3 }), local: true }, ann);
    const { visible, local } = taskVariables(engine.state(), engine.instance(id), engine.task());
    assert.deepEqual(
      Object.entries(visible).map(([name, { value }]) => [name, value]),
      [
        ['a', 1],
        ['b', 3],
      ],
    );
    assert.deepEqual(Object.keys(local), ['b']);
  });

  it('within a sub-process are those of it and of the process around it, which has its own alone', async () => {
    const engine = new EngineHarness();
    const io =
      '<camunda:inputOutput><camunda:inputParameter name="b">of the sub</camunda:inputParameter></camunda:inputOutput>';
    const inner = `${element('startEvent', 'inner')}${element('userTask', 'work')}${flows('inner', 'work')}`;
    await engine.deploy(bpmn(line(['sub'], element('subProcess', 'sub', {}, extended(io) + inner))));
    const id = await engine.start({ a: 'of the process' });
    await engine.run(
      engine.api.setTaskVariables,
      { taskId: engine.task().id, variables: inputs({ c: 1 }), local: true },
      ann,
    );
    const seen = taskVariables(engine.state(), engine.instance(id), engine.task());
    assert.deepEqual(Object.keys(seen.visible), ['a', 'b', 'c']);
    assert.deepEqual(Object.keys(processVariables(engine.state(), engine.instance(id))), ['a']);
  });
});
