import assert from 'node:assert/strict';
import { processInstances, tasks } from '../../../src/engine/collections.js';
import { taskVariables } from '../../../src/engine/run/seen-variables.js';
import { remove } from '../../../src/store/index.js';
import { bpmn, element, extended, line } from '../../support/bpmn.js';
import { admin, ann, bob, EngineHarness, inputs, refusalOf, supervisor } from '../../support/engine-harness.js';
import { callerNamed } from '../../support/harness.js';

const clerk = callerNamed('carl', { groups: ['clerks'] });

/** An instance that waits at one user task. */
async function waiting(
  attributes: Readonly<Record<string, string>> = {},
): Promise<{ engine: EngineHarness; taskId: string; id: string }> {
  const engine = new EngineHarness();
  await engine.deploy(bpmn(line(['work'], element('userTask', 'work', { name: 'Work', ...attributes }))));
  const id = await engine.start({}, ann, 'order-1');
  return { engine, id, taskId: engine.task().id };
}

describe('claimTask', () => {
  it('gives a free task to the caller', async () => {
    const { engine, taskId } = await waiting();
    assert.equal((await engine.run(engine.api.claimTask, { taskId }, bob)).id, taskId);
    assert.equal(engine.task().actor.value, 'assigned');
    assert.equal(engine.task().actor.context.assignee, 'bob');
    assert.equal(engine.eventTypes.at(-1), 'task.assigned');
    assert.equal(engine.events.at(-1)?.ids.assignee, 'bob');
  });

  it("changes nothing when the task is the caller's already", async () => {
    const { engine, taskId } = await waiting({ 'camunda:assignee': 'bob' });
    const before = engine.events.length;
    await engine.run(engine.api.claimTask, { taskId }, bob);
    assert.equal(engine.events.length, before);
  });

  it('refuses a task that someone else holds', async () => {
    const { engine, taskId } = await waiting({ 'camunda:assignee': 'ann' });
    assert.equal(
      await refusalOf(engine.run(engine.api.claimTask, { taskId }, bob)),
      `CONFLICT: expected to claim task '${taskId}', but it is assigned to 'ann'`,
    );
  });

  it('is for candidates, where there are any', async () => {
    const { engine, taskId } = await waiting({ 'camunda:candidateGroups': 'clerks', 'camunda:candidateUsers': 'dora' });
    assert.match(await refusalOf(engine.run(engine.api.claimTask, { taskId }, bob)), /^NOT_FOUND: expected a task/);
    await engine.run(engine.api.claimTask, { taskId }, clerk);
    await engine.run(engine.api.unclaimTask, { taskId }, clerk);
    await engine.run(engine.api.claimTask, { taskId }, callerNamed('dora'));
    await engine.run(engine.api.unclaimTask, { taskId }, supervisor);
    await engine.run(engine.api.claimTask, { taskId }, supervisor);
    assert.equal(engine.task().actor.context.assignee, 'sue');
  });

  it('knows no task that is not open', async () => {
    const { engine } = await waiting();
    assert.equal(
      await refusalOf(engine.run(engine.api.claimTask, { taskId: 'x' }, bob)),
      "NOT_FOUND: expected a task with id 'x', but there is none",
    );
  });

  it('refuses a task that a damaged store has left without its instance', async () => {
    const { engine, taskId, id } = await waiting();
    engine.documents.apply([remove(processInstances, id)]);
    assert.equal(
      await refusalOf(engine.run(engine.api.claimTask, { taskId }, bob)),
      `NOT_FOUND: expected a process instance with id '${id}', but there is none`,
    );
  });

  it('waits while the instance is suspended', async () => {
    const { engine, taskId, id } = await waiting();
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    assert.equal(engine.task().suspended, true);
    assert.equal(
      await refusalOf(engine.run(engine.api.claimTask, { taskId }, bob)),
      `CONFLICT: expected to claim a task of process instance '${id}', but it is suspended`,
    );
  });
});

describe('unclaimTask', () => {
  it('is for the assignee and supervisors', async () => {
    const { engine, taskId } = await waiting({ 'camunda:assignee': 'ann' });
    assert.match(await refusalOf(engine.run(engine.api.unclaimTask, { taskId }, bob)), /^NOT_FOUND: expected a task/);
    await engine.run(engine.api.unclaimTask, { taskId }, ann);
    assert.equal(engine.task().actor.value, 'created');
    assert.equal(engine.eventTypes.at(-1), 'task.updated');
    await engine.run(engine.api.unclaimTask, { taskId }, bob);
  });
});

describe('assignTask', () => {
  it('gives the task to whoever is named', async () => {
    const { engine, taskId } = await waiting({ 'camunda:assignee': 'ann' });
    await engine.run(engine.api.assignTask, { taskId, assignee: 'bob' }, ann);
    assert.equal(engine.task().actor.context.assignee, 'bob');
    assert.match(await refusalOf(engine.run(engine.api.assignTask, { taskId, assignee: 'ann' }, ann)), /^NOT_FOUND/);
  });

  it('refuses nobody', async () => {
    const { engine, taskId } = await waiting();
    assert.equal(
      await refusalOf(engine.run(engine.api.assignTask, { taskId, assignee: ' ' }, admin)),
      "BAD_REQUEST: expected a user id as 'assignee', but found nothing",
    );
  });
});

describe('setTaskAssignee', () => {
  it('unassigns with null', async () => {
    const { engine, taskId } = await waiting({ 'camunda:assignee': 'ann' });
    await engine.run(engine.api.setTaskAssignee, { taskId, assignee: null }, ann);
    assert.equal(engine.task().actor.context.assignee, null);
  });

  it('is for the assignee, supervisors and administrators', async () => {
    const { engine, taskId } = await waiting({ 'camunda:assignee': 'ann' });
    assert.match(
      await refusalOf(engine.run(engine.api.setTaskAssignee, { taskId, assignee: 'bob' }, bob)),
      /^NOT_FOUND/,
    );
    await engine.run(engine.api.setTaskAssignee, { taskId, assignee: 'bob' }, supervisor);
    assert.equal(engine.task().actor.context.assignee, 'bob');
  });

  it('is for candidates while nobody has it', async () => {
    const { engine, taskId } = await waiting({ 'camunda:candidateGroups': 'clerks' });
    assert.match(
      await refusalOf(engine.run(engine.api.setTaskAssignee, { taskId, assignee: 'bob' }, bob)),
      /^NOT_FOUND/,
    );
    await engine.run(engine.api.setTaskAssignee, { taskId, assignee: 'carl' }, clerk);
    assert.equal(engine.task().actor.context.assignee, 'carl');
  });
});

describe('who works on a task', () => {
  const rows: [listener: string, claimed: boolean, delegated: boolean][] = [
    ['create', false, false],
    ['complete', false, false],
    ['assignment', true, false],
    ['update', true, true],
  ];
  for (const [listener, claimed, delegated] of rows)
    it(`is heard of by a listener to '${listener}' as its word says: a run of its own then`, async () => {
      const engine = new EngineHarness();
      const listens = extended(
        `<camunda:taskListener event="${listener}" expression="\${1}"/><camunda:executionListener event="end" expression="\${1}"/>`,
      );
      await engine.deploy(bpmn(line(['work'], element('userTask', 'work', {}, listens))));
      const id = await engine.start();
      const { id: taskId } = engine.task();
      const { runs } = engine.instance(id);
      await engine.run(engine.api.claimTask, { taskId }, ann);
      assert.equal(engine.instance(id).runs > runs, claimed);
      const before = engine.instance(id).runs;
      await engine.run(engine.api.delegateTask, { taskId, assignee: 'ann' }, ann);
      assert.deepEqual(engine.task().actor.context, { assignee: 'ann', owner: 'ann' });
      assert.equal(engine.instance(id).runs > before, delegated, 'the assignee is the same');
    });
});

describe('delegateTask', () => {
  it('keeps the old assignee as the owner, who gets it back when it is resolved', async () => {
    const { engine, taskId } = await waiting({ 'camunda:assignee': 'ann' });
    await engine.run(engine.api.delegateTask, { taskId, assignee: 'bob' }, ann);
    assert.deepEqual(engine.task().actor.context, { assignee: 'bob', owner: 'ann' });
    assert.equal(
      await refusalOf(engine.run(engine.api.completeTask, { taskId }, bob)),
      `CONFLICT: expected to complete task '${taskId}', but it is delegated to 'bob'`,
    );
    await engine.run(engine.api.resolveTask, { taskId }, bob);
    assert.equal(engine.task().actor.value, 'resolved');
    assert.equal(engine.task().actor.context.assignee, 'ann');
    await engine.run(engine.api.completeTask, { taskId }, ann);
    assert.deepEqual(engine.all(tasks), []);
  });

  it('comes back with what the one has found out who was asked', async () => {
    const { engine, taskId, id } = await waiting({ 'camunda:assignee': 'ann' });
    await engine.run(engine.api.delegateTask, { taskId, assignee: 'bob' }, ann);
    const variables = [{ name: 'price', value: 7 }];
    assert.match(await refusalOf(engine.run(engine.api.resolveTask, { taskId, variables }, ann)), /^FORBIDDEN/);
    await engine.run(engine.api.resolveTask, { taskId, variables, form: true }, bob);
    assert.equal(engine.task().actor.value, 'resolved');
    assert.deepEqual(engine.variables(id), { price: 7 });
    assert.deepEqual(engine.replayed(id).again, engine.replayed(id).stored);
  });

  it('does not replace an owner', async () => {
    const { engine, taskId } = await waiting({ 'camunda:assignee': 'ann' });
    await engine.run(engine.api.delegateTask, { taskId, assignee: 'bob' }, ann);
    await engine.run(engine.api.delegateTask, { taskId, assignee: 'carl' }, bob);
    assert.deepEqual(engine.task().actor.context, { assignee: 'carl', owner: 'ann' });
  });

  it('leaves a task alone that is not delegated when it is to be resolved', async () => {
    const { engine, taskId } = await waiting({ 'camunda:assignee': 'ann' });
    assert.match(
      await refusalOf(engine.run(engine.api.resolveTask, { taskId }, ann)),
      /^CONFLICT: expected to resolve task/,
    );
  });
});

describe('completeTask', () => {
  it('sets variables on the process and moves the instance on', async () => {
    const { engine, taskId, id } = await waiting({ 'camunda:assignee': 'ann' });
    await engine.run(engine.api.completeTask, { taskId, variables: inputs({ approved: true }) }, ann);
    assert.equal(engine.instance(id).actor.value, 'completed');
    assert.equal(engine.instance(id).endTime, engine.now);
    assert.deepEqual(engine.variables(id), { approved: true });
    assert.deepEqual(engine.eventTypes.slice(-2), ['task.completed', 'process.ended']);
  });

  it('is for the assignee; to who does not see it, it is not there', async () => {
    const { engine, taskId } = await waiting({ 'camunda:assignee': 'ann', 'camunda:candidateUsers': 'bob' });
    assert.match(await refusalOf(engine.run(engine.api.completeTask, { taskId }, clerk)), /^NOT_FOUND/);
    assert.equal(
      await refusalOf(engine.run(engine.api.completeTask, { taskId }, bob)),
      `FORBIDDEN: expected the assignee, a supervisor or an administrator to complete task '${taskId}', but the caller is 'bob'`,
    );
  });

  it('is for anybody while nobody has it and it names no candidates', async () => {
    const { engine, taskId, id } = await waiting();
    await engine.run(engine.api.completeTask, { taskId }, bob);
    assert.equal(engine.instance(id).actor.value, 'completed');
  });

  it('is for candidates while nobody has it', async () => {
    const { engine, taskId } = await waiting({ 'camunda:candidateGroups': 'clerks' });
    assert.match(await refusalOf(engine.run(engine.api.completeTask, { taskId }, bob)), /^NOT_FOUND/);
    await engine.run(engine.api.completeTask, { taskId }, clerk);
  });

  it('changes nothing when a variable cannot be read', async () => {
    const { engine, taskId } = await waiting();
    const variables = [{ name: 'amount', type: 'Long', value: 'many' }];
    assert.equal(
      await refusalOf(engine.run(engine.api.completeTask, { taskId, variables }, bob)),
      "BAD_REQUEST: expected a whole number for variable 'amount' as 'variables', but found 'many'",
    );
    assert.equal(engine.task().id, taskId);
  });

  it('knows no completed task', async () => {
    const { engine, taskId } = await waiting();
    await engine.run(engine.api.completeTask, { taskId }, bob);
    assert.match(await refusalOf(engine.run(engine.api.completeTask, { taskId }, bob)), /^NOT_FOUND/);
  });
});

describe('completeTask with variables that have the names of inner ones', () => {
  it("leaves the task's own alone and sets the process; an input stays what its activity has", async () => {
    const engine = new EngineHarness();
    const inputs1 =
      '<camunda:inputOutput><camunda:inputParameter name="input">1</camunda:inputParameter></camunda:inputOutput>';
    const work = element('userTask', 'work', {}, extended(inputs1));
    await engine.deploy(bpmn(line(['work', 'after'], work + element('userTask', 'after'))));
    const id = await engine.start();
    const { id: taskId } = engine.task();
    for (const value of [1, 2]) {
      const variables = inputs({ own: value, input: value, other: value });
      await engine.run(engine.api.setTaskVariables, { taskId, variables, local: value === 1 }, ann);
    }
    assert.deepEqual(engine.variables(id), {}, 'where they are known, they are set');
    const own = () => Object.keys(taskVariables(engine.state(), engine.instance(id), engine.task('work')).local);
    assert.deepEqual(own().sort(), ['input', 'other', 'own']);
    await engine.run(engine.api.completeTask, { taskId, variables: inputs({ own: 3, input: 3, new: 3 }) }, ann);
    assert.equal(engine.task().elementId, 'after');
    assert.deepEqual(engine.variables(id), { own: 3, new: 3 });
    assert.deepEqual(engine.replayed(id).again, engine.replayed(id).stored);
  });
});

describe('setTaskVariables', () => {
  it('merges into the process', async () => {
    const { engine, taskId, id } = await waiting();
    await engine.run(engine.api.setProcessVariables, { processInstanceId: id, variables: inputs({ a: 1, b: 2 }) }, ann);
    await engine.run(engine.api.setTaskVariables, { taskId, variables: inputs({ b: 3, c: 4 }) }, bob);
    assert.deepEqual(engine.variables(id), { a: 1, b: 3, c: 4 });
  });

  it('keeps local ones at the task', async () => {
    const { engine, taskId, id } = await waiting();
    await engine.run(engine.api.setTaskVariables, { taskId, variables: inputs({ note: 'x' }), local: true }, bob);
    assert.deepEqual(engine.variables(id), {});
    const local = engine.instance(id).state.scopes.find((scope) => scope.parent !== null);
    assert.deepEqual(local?.variables, { note: { type: 'String', value: 'x' } });
    assert.equal(engine.eventTypes.at(-1), 'task.updated');
  });

  it('removes what is named: as the task sees it, or of its own', async () => {
    const { engine, taskId, id } = await waiting();
    const set = (variables: Record<string, unknown>, local: boolean, removed: readonly string[] = []) =>
      engine.run(engine.api.setTaskVariables, { taskId, variables: inputs(variables), local, removed }, bob);
    const own = () => Object.keys(taskVariables(engine.state(), engine.instance(id), engine.task()).local);
    await set({ a: 1, b: 1 }, false);
    await set({}, true, ['a', 'none']);
    assert.deepEqual(engine.variables(id), { a: 1, b: 1 });
    await set({ a: 2, c: 2 }, true);
    await set({ c: 3 }, true, ['c']);
    assert.deepEqual([own(), engine.variables(id)], [['a'], { a: 1, b: 1 }]);
    await set({}, false, ['a', 'b', 'none']);
    assert.deepEqual([own(), engine.variables(id)], [[], { a: 1 }]);
    assert.deepEqual(engine.replayed(id).again, engine.replayed(id).stored);
  });

  it("tells listeners to updates of changes of the task's own, and of no others", async () => {
    const engine = new EngineHarness();
    const count = '${execution.setVariable("told", told + 1)}';
    const listens = extended(`<camunda:taskListener event="update" expression='${count}'/>`);
    await engine.deploy(bpmn(line(['work'], element('userTask', 'work', {}, listens))));
    const id = await engine.start({ told: 0, note: '' });
    const { id: taskId } = engine.task();
    const set = async (variables: Record<string, unknown>, local: boolean) => {
      await engine.run(engine.api.setTaskVariables, { taskId, variables: inputs(variables), local }, ann);
      return engine.variables(id).told;
    };
    assert.equal(await set({ note: 'process' }, false), 0);
    assert.equal(await set({ note: 'own', other: 1 }, true), 1);
    assert.equal(await set({ note: 'own again' }, false), 2);
    assert.equal(await set({ further: 1 }, false), 2);
    assert.deepEqual(engine.replayed(id).again, engine.replayed(id).stored);
  });
});

describe('setTaskVariables of a suspended instance', () => {
  it('sets them, as setProcessVariables does; the task is not completed before it goes on', async () => {
    const { engine, taskId, id } = await waiting();
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    const set = (name: string, local: boolean) =>
      engine.run(engine.api.setTaskVariables, { taskId, variables: inputs({ [name]: 1 }), local }, bob);
    await set('seen', false);
    await set('note', true);
    assert.deepEqual(engine.variables(id), { seen: 1 });
    assert.deepEqual(Object.keys(taskVariables(engine.state(), engine.instance(id), engine.task()).local), ['note']);
    assert.equal(engine.instance(id).actor.value, 'suspended');
    assert.match(
      await refusalOf(engine.run(engine.api.completeTask, { taskId }, bob)),
      /^CONFLICT: .* it is suspended/,
    );
    assert.deepEqual(engine.replayed(id).again, engine.replayed(id).stored);
  });
});

describe('setTaskVariables in mode REPLACE', () => {
  it("replaces the task's own, and leaves the process alone", async () => {
    const { engine, taskId, id } = await waiting();
    const large = 'x'.repeat(5_000);
    await engine.run(engine.api.setProcessVariables, { processInstanceId: id, variables: inputs({ a: 1 }) }, ann);
    const set = (variables: Record<string, unknown>, more = {}) =>
      engine.run(engine.api.setTaskVariables, { taskId, variables: inputs(variables), local: true, ...more }, bob);
    const own = () => Object.keys(taskVariables(engine.state(), engine.instance(id), engine.task()).local).sort();
    await set({ first: 1 }, { mode: 'REPLACE' });
    await set({ b: 2, large });
    assert.deepEqual(own(), ['b', 'first', 'large']);
    await set({ c: 3, first: 2 }, { mode: 'REPLACE' });
    assert.deepEqual(own(), ['c', 'first']);
    assert.deepEqual(engine.variables(id), { a: 1 });
    assert.deepEqual(engine.replayed(id).again, engine.replayed(id).stored);
  });

  it('is refused for what is not its own', async () => {
    const { engine, taskId } = await waiting();
    const asked = { taskId, variables: [], mode: 'REPLACE' } as const;
    assert.match(
      await refusalOf(engine.run(engine.api.setTaskVariables, asked, bob)),
      /^BAD_REQUEST: expected MERGE, or REPLACE with local: true, .* as 'mode', but found 'REPLACE'/,
    );
  });
});

it('tells `update` listeners of comments, and of claims that change nothing', async () => {
  const engine = new EngineHarness();
  const told = "${execution.setVariable('told', told + 1)}";
  const listener = extended(`<camunda:taskListener event="update" expression="${told}"/>`);
  await engine.deploy(bpmn(line(['work'], element('userTask', 'work', { 'camunda:assignee': 'bob' }, listener))));
  const id = await engine.start({ told: 0 });
  const taskId = engine.task().id;
  await engine.run(engine.api.claimTask, { taskId }, bob);
  await engine.run(engine.api.assignTask, { taskId, assignee: 'bob' }, bob);
  assert.deepEqual(engine.variables(id), { told: 2 });
  await engine.run(engine.api.addTaskComment, { taskId, message: 'Well.' }, bob);
  assert.deepEqual(engine.variables(id), { told: 3 });
  await engine.run(engine.api.suspendProcessInstance, { id }, admin);
  await engine.run(engine.api.addTaskComment, { taskId, message: 'Wait.' }, bob);
  assert.deepEqual(engine.variables(id), { told: 4 });
  assert.deepEqual(engine.replayed(id).again, engine.replayed(id).stored);
});

describe('addTaskComment', () => {
  it('keeps who said what', async () => {
    const { engine, taskId } = await waiting();
    const id = await engine.run(engine.api.addTaskComment, { taskId, message: 'looks good' }, bob);
    assert.equal(typeof id, 'string');
  });

  it('refuses an empty one', async () => {
    const { engine, taskId } = await waiting();
    assert.equal(
      await refusalOf(engine.run(engine.api.addTaskComment, { taskId, message: '' }, bob)),
      "BAD_REQUEST: expected a text as 'message', but found nothing",
    );
    assert.match(
      await refusalOf(engine.run(engine.api.addTaskComment, { taskId: 'x', message: 'y' }, bob)),
      /^NOT_FOUND/,
    );
  });
});
