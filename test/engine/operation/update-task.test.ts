import assert from 'node:assert/strict';
import { bpmn, element, extended, line } from '../../support/bpmn.js';
import { ann, bob, EngineHarness, refusalOf, supervisor } from '../../support/engine-harness.js';

const heard = (event: string) =>
  `<camunda:taskListener event="${event}" expression="\${execution.setVariable('${event}', task.name)}"/>`;

async function waiting(listeners = '') {
  const engine = new EngineHarness();
  const task = element(
    'userTask',
    'work',
    { name: 'Work', 'camunda:assignee': 'ann' },
    listeners && extended(listeners),
  );
  await engine.deploy(bpmn(line(['work'], task)));
  const id = await engine.start({}, ann);
  return { engine, id, taskId: engine.task().id };
}

describe('updateTask', () => {
  it('changes what is given, and nothing else', async () => {
    const { engine, taskId } = await waiting();
    const change = { name: 'Pay', priority: 7, due: 5, candidateGroups: ['x', 'y', 'x'] };
    await engine.run(engine.api.updateTask, { taskId, ...change }, ann);
    const { name, description, priority, due, followUp, candidateUsers, candidateGroups, actor } = engine.task();
    assert.deepEqual(
      { name, description, priority, due, followUp, candidateUsers, candidateGroups, ...actor.context },
      {
        ...{ name: 'Pay', description: null, priority: 7, due: 5, followUp: null },
        ...{ candidateUsers: [], candidateGroups: ['x', 'y'], assignee: 'ann', owner: null },
      },
    );
    assert.equal(engine.eventTypes.at(-1), 'task.updated');
    await engine.run(engine.api.updateTask, { taskId, name: null, due: null, priority: null, owner: 'zoe' }, ann);
    const after = engine.task();
    assert.deepEqual([after.name, after.due, after.priority, after.actor.context.owner], [null, null, 7, 'zoe']);
  });

  it('gives the task to somebody, or to nobody', async () => {
    const { engine, taskId } = await waiting();
    await engine.run(engine.api.updateTask, { taskId, assignee: 'bob' }, supervisor);
    assert.equal(engine.eventTypes.at(-1), 'task.assigned');
    await engine.run(engine.api.updateTask, { taskId, assignee: null }, bob);
    assert.equal(engine.task().actor.value, 'created');
  });

  it('tells listeners to updates, and to assignments', async () => {
    const { engine, id, taskId } = await waiting(heard('update') + heard('assignment'));
    const variables = () =>
      Object.entries(engine.instance(id).state.scopes[0]?.variables ?? {}).map(([name, { value }]) => [name, value]);
    await engine.run(engine.api.updateTask, { taskId, name: 'Pay' }, ann);
    assert.deepEqual(Object.fromEntries(variables()), { assignment: 'Work', update: 'Pay' });
    await engine.run(engine.api.updateTask, { taskId, name: 'Send', assignee: 'bob' }, ann);
    assert.deepEqual(Object.fromEntries(variables()), { assignment: 'Send', update: 'Send' });
  });

  it('refuses what does not fit, and who may not assign it', async () => {
    const { engine, taskId } = await waiting();
    const refused = (change: object, caller = ann) =>
      refusalOf(engine.run(engine.api.updateTask, { taskId, ...change }, caller));
    assert.match(await refused({ priority: 0.5 }), /^BAD_REQUEST: .*priority/);
    assert.match(await refused({ assignee: ' ' }), /^BAD_REQUEST: .*assignee/);
    assert.match(await refused({ candidateUsers: [''] }), /^BAD_REQUEST: .*candidateUsers/);
    assert.match(await refused({ name: 'x'.repeat(20_000) }), /^LIMIT_EXCEEDED/);
    assert.match(await refused({ name: 'x' }, bob), /^NOT_FOUND/);
  });
});
