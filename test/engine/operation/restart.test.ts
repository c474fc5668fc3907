import assert from 'node:assert/strict';
import { processInstances, tasks } from '../../../src/engine/collections.js';
import { bpmn, element, flows, line } from '../../support/bpmn.js';
import { admin, ann, EngineHarness, inputs, refusalOf } from '../../support/engine-harness.js';

const task = (id: string) => element('userTask', id);
const two = bpmn(line(['A', 'B'], task('A') + task('B')));

describe('restartProcessInstance', () => {
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

  /** An instance that was started with `a`, got other variables, and has ended. */
  const ended = async (model = two): Promise<string> => {
    await engine.deploy(model);
    const id = await engine.start({ a: 1, large: 'x'.repeat(5_000) }, ann, 'key');
    const variables = inputs({ a: 2, b: 3 });
    await engine.run(engine.api.setProcessVariables, { processInstanceId: id, variables, mode: 'MERGE' }, admin);
    await engine.run(engine.api.cancelProcessInstance, { id }, admin);
    return id;
  };
  const restart = (processInstanceId: string, more: object = {}, caller = admin): Promise<string> =>
    engine.run(engine.api.restartProcessInstance, { processInstanceId, ...more }, caller);
  const shown = (id: string) => {
    const { large, ...variables } = engine.variables(id);
    return [engine.instance(id).businessKey, variables, String(large).length];
  };

  it('starts another one with the last variables and the business key, and leaves the ended one as it is', async () => {
    const id = await ended();
    const next = await restart(id);
    assert.notEqual(next, id);
    assert.deepEqual(shown(next), ['key', { a: 2, b: 3 }, 5_000]);
    assert.equal(engine.task().elementId, 'A');
    assert.deepEqual([engine.instance(next).startUserId, engine.instance(id).actor.value], ['admin', 'cancelled']);
  });

  it('takes the variables of the start, and no business key, where it is told so', async () => {
    const next = await restart(await ended(), { initialVariables: true, withoutBusinessKey: true });
    assert.deepEqual(shown(next), [null, { a: 1 }, 5_000]);
  });

  it('begins where instructions say', async () => {
    const instructions = [
      { type: 'startBeforeActivity', activityId: 'B', variables: inputs({ c: 4 }) },
      { type: 'startAfterActivity', activityId: 'A' },
    ];
    const next = await restart(await ended(), { instructions });
    assert.deepEqual(shown(next), ['key', { a: 2, b: 3, c: 4 }, 5_000]);
    const { tokens } = engine.instance(next).state;
    assert.deepEqual(tokens.length, 2);
    const open = engine.all(tasks).map(({ elementId }) => elementId);
    assert.deepEqual(open, ['B', 'B']);
  });

  it('begins at the start event that began it', async () => {
    const messages = bpmn(
      `<bpmn:startEvent id="start"><bpmn:messageEventDefinition messageRef="m"/></bpmn:startEvent><bpmn:startEvent id="other"/>
       ${task('A')}${task('B')}${element('endEvent', 'end')}${flows('start', 'A', 'end')}${flows('other', 'B', 'end')}`,
      { root: '<bpmn:message id="m" name="go"/>' },
    );
    await engine.deploy(messages);
    const id = await engine.run(
      engine.api.correlateMessage,
      { messageName: 'go', variables: inputs({ a: 1 }) } as never,
      admin,
    );
    await engine.settle();
    const started = engine.all(processInstances)[0]?.id ?? String(id);
    await engine.run(engine.api.cancelProcessInstance, { id: started }, admin);
    await restart(started);
    assert.equal(engine.task().elementId, 'A');
  });

  it('is refused for what runs, is unknown, or has a definition that is suspended', async () => {
    const id = await ended();
    const next = await restart(id);
    assert.match(await refusalOf(restart(next)), /^CONFLICT: expected to restart process instance .*active/);
    assert.match(await refusalOf(restart('nobody')), /^NOT_FOUND/);
    assert.match(await refusalOf(restart(id, {}, ann)), /^FORBIDDEN/);
    const unknown = { instructions: [{ type: 'startBeforeActivity', activityId: 'C' }] };
    assert.match(await refusalOf(restart(id, unknown)), /^BAD_REQUEST: expected an activity of process 'p'/);
    const ofAnother = { instructions: [{ type: 'cancel', activityInstanceId: `${id}:1` }] };
    assert.match(await refusalOf(restart(id, ofAnother)), /^BAD_REQUEST: expected no id of an activity instance/);
    const { definitionId } = engine.instance(id);
    await engine.run(engine.api.suspendProcessDefinition, { id: definitionId }, admin);
    assert.match(await refusalOf(restart(id)), /^CONFLICT: expected to start process definition .*suspended/);
  });
});
