import assert from 'node:assert/strict';
import type { Listener } from '../../../src/engine/model/program.js';
import { type Instance, instance, NOW } from '../../support/instance.js';
import { end, listener, program, start, userTask } from '../../support/program.js';

const flows = ['s -> a', 'a -> e'];
const withTask = (...task: Parameters<typeof userTask>) =>
  program({ s: start(), a: userTask(...task), e: end() }, flows);

describe('user task', () => {
  it('waits for its completion, which sets the variables', () => {
    const it = instance(withTask()).start({ x: 1 });
    assert.deepEqual(it.active, ['a']);
    it.complete('a', { x: 2, y: 'new' });
    assert.ok(it.isCompleted);
    assert.deepEqual(it.variables, { x: 2, y: 'new' });
    assert.deepEqual(
      it.effects.slice(-2).map(({ type }) => type),
      ['endTask', 'ended'],
    );
  });

  it('has no form key where the expression of that cannot be evaluated', () => {
    const it = instance(withTask({ formKey: '${form}' })).start();
    assert.equal(it.task('a').formKey, null);
    assert.equal(
      instance(withTask({ formKey: '${form}' }))
        .start({ form: 'x' })
        .task('a').formKey,
      'x',
    );
  });

  it('takes small room while it waits', () => {
    const { scopes, tokens } = instance(withTask()).start().state;
    assert.ok(JSON.stringify({ scopes, tokens }).length <= 300);
  });

  it('is told to the history with its task', () => {
    const it = instance(withTask()).start();
    const { id } = it.task('a');
    assert.deepEqual(it.history, [
      [3, 2, 1, 0],
      [0, 3, 2, 0, id],
    ]);
    it.complete('a');
    assert.deepEqual(it.history.slice(2), [
      [1, 3],
      [3, 4, 3, 0],
    ]);
  });

  it('evaluates what its definition says', () => {
    const definition = {
      assignee: '${boss}',
      owner: 'owen',
      candidateUsers: ['ann', '${users}', '${list}'],
      candidateGroups: ['${groups}', 'sales'],
      dueDate: '${dateTime().plusDays(3).toDate()}',
      followUpDate: 'PT2H',
      priority: '${10 * 7}',
      formKey: 'embedded:${boss}',
    };
    const it = instance(withTask(definition, { name: 'Check ${what}', documentation: 'for ${boss}' }));
    it.start({ boss: 'bob', users: 'uma, ulf,ann', list: ['lee', 'uma'], groups: 'it,hr', what: 'bill' });
    const { name, description, assignee, owner, candidateUsers, candidateGroups, due, followUp, priority, formKey } =
      it.task('a');
    assert.deepEqual(
      { name, description, assignee, owner, candidateUsers, candidateGroups, due, followUp, priority, formKey },
      {
        name: 'Check bill',
        description: 'for bob',
        assignee: 'bob',
        owner: 'owen',
        candidateUsers: ['ann', 'uma', 'ulf', 'lee'],
        candidateGroups: ['it', 'hr', 'sales'],
        due: NOW + 3 * 86_400_000,
        followUp: NOW + 2 * 3_600_000,
        priority: 70,
        formKey: 'embedded:bob',
      },
    );
  });

  it('reads a due date that is a date, a date variable, or empty', () => {
    const due = (dueDate: string) =>
      instance(withTask({ dueDate }))
        .start({ when: new Date(NOW + 5), text: '2026-02-01T10:00:00Z', none: '' })
        .task('a').due;
    assert.equal(due('2026-02-01T10:00:00+01:00'), Date.UTC(2026, 1, 1, 9));
    assert.equal(due('${when}'), NOW + 5);
    assert.equal(due('${text}'), Date.UTC(2026, 1, 1, 10));
    assert.equal(due('${none}'), null);
  });

  it('has priority 50 and nobody where nothing is said', () => {
    const { priority, assignee, candidateUsers, due } = instance(withTask()).start().task('a');
    assert.deepEqual([priority, assignee, candidateUsers, due], [50, null, [], null]);
  });

  it('reads a priority that is a number or the text of one, and no empty text', () => {
    const priority = (p: unknown) =>
      instance(withTask({ priority: '${p}' }))
        .start({ p })
        .task('a').priority;
    assert.deepEqual([priority(70), priority('70'), priority(' 7 ')], [70, 70, 7]);
    for (const none of ['', ' ', null, 1.5, true]) {
      assert.throws(() => priority(none), { message: /a whole number as priority from '\$\{p\}'/ });
    }
  });

  it('takes an empty assignee for none', () => {
    assert.equal(
      instance(withTask({ assignee: '${who}' }))
        .start({ who: '' })
        .task('a').assignee,
      null,
    );
  });

  it('refuses a priority, a date or an expression that cannot be read, naming the element', () => {
    for (const definition of [{ priority: 'high' }, { dueDate: 'soon' }, { assignee: '${nobody}' }]) {
      assert.throws(
        () => instance(withTask(definition)).start(),
        (thrown: { code: string; info: { details: { elementId: string } } }) => {
          assert.equal(thrown.code, 'EXECUTION_FAILED');
          assert.equal(thrown.info.details.elementId, 'a');
          return true;
        },
      );
    }
  });

  it('refuses a text that would not come back from the store as it is', () => {
    const found = (text: string) => instance(withTask({}, { name: '${text}' })).start({ text });
    for (const text of ['a\ud800', '\udc00']) {
      assert.throws(() => found(text), {
        code: 'EXECUTION_FAILED',
        message: /from '\$\{text\}' of element 'a', but it gives "/,
      });
    }
    assert.equal(found('a\ud83d\ude00').task('a').name, 'a\ud83d\ude00');
  });

  it('refuses to complete a task that it does not wait for', () => {
    const it = instance(withTask()).start();
    const input = { type: 'completeTask', taskId: 'other', variables: {}, localVariables: {} } as const;
    assert.throws(() => it.give(input), { code: 'CONFLICT', message: /to wait for task 'other'/ });
  });

  it('keeps local variables to itself', () => {
    const it = instance(withTask({}, { listeners: [listener('end', '${execution.setVariable("seen", mine)}')] }));
    it.start().complete('a', {}, { mine: 5 });
    assert.deepEqual(it.variables, { seen: 5 });
  });
});

describe('task listeners', () => {
  it('may be scripts that change the task', () => {
    const listeners = [
      {
        on: 'task',
        event: 'create',
        source: { kind: 'script', language: 'javascript', text: 'task.setAssignee("eve")' },
      },
    ] as const;
    const told = (...task: { method: string; value: unknown }[]) => ({ answer: () => ({ value: { task } }) });
    const calls = told({ method: 'setAssignee', value: 'eve' }, { method: 'setPriority', value: 70 });
    const { assignee, priority } = instance(withTask({}, { listeners }), calls).start().task('a');
    assert.deepEqual([assignee, priority], ['eve', 70]);
    for (const [wrong, message] of [
      [told({ method: 'setPriority', value: 'high' }), /task\.setPriority .* expected a whole number as priority/],
      [told({ method: 'explode', value: 1 }), /expected a method that changes a task, but found 'explode'$/],
    ] as const) {
      assert.throws(() => instance(withTask({}, { listeners }), wrong).start(), { code: 'EXECUTION_FAILED', message });
    }
  });

  const on = (event: string, text: string) => listener(event, text, 'task');

  it('may change the task when it is created', () => {
    const it = instance(
      withTask(
        { candidateGroups: ['it'] },
        {
          name: 'Task',
          listeners: [on('create', '${task.setAssignee("eve")}'), on('create', '${task.addCandidateGroup("hr")}')],
        },
      ),
    ).start();
    const { assignee, candidateGroups } = it.task('a');
    assert.deepEqual([assignee, candidateGroups], ['eve', ['it', 'hr']]);
  });

  it('hear of creation before assignment, and of assignment only where someone is assigned', () => {
    const listeners = [
      on('assignment', '${execution.setVariable("log", log.concat("-assignment"))}'),
      on('create', '${execution.setVariable("log", log.concat("-create"))}'),
    ];
    assert.equal(instance(withTask({}, { listeners })).start({ log: '' }).variables.log, '-create');
    const assigned = instance(withTask({ assignee: 'eve' }, { listeners })).start({ log: '' });
    assert.equal(assigned.variables.log, '-create-assignment');
  });

  it('hear of completion with the variables of the completion', () => {
    const it = instance(withTask({}, { listeners: [on('complete', '${task.setVariable("twice", x * 2)}')] }));
    assert.deepEqual(it.start().complete('a', { x: 4 }).variables, { x: 4, twice: 8 });
  });

  it('hear of a later assignment, and their changes are written', () => {
    const listeners = [on('assignment', '${task.setPriority(90)}')];
    const it = instance(withTask({}, { listeners })).start();
    it.give({ type: 'taskEvent', taskId: it.task('a').id, event: 'assignment' });
    const last = it.effects.at(-1);
    assert.ok(last?.type === 'updateTask' && last.task.priority === 90);
    assert.deepEqual(it.active, ['a']);
  });

  it('hear of a later assignment as of an update first, and of one task that both may change', () => {
    const note = (event: string) =>
      on(event, "${execution.setVariable('log', log.concat(' ').concat(task.eventName))}");
    const listeners = [note('assignment'), note('update'), on('update', '${task.setPriority(task.priority + 1)}')];
    const heard = (event: 'assignment' | 'update', rules?: number) => {
      const it = instance(withTask({}, { listeners }), rules === undefined ? {} : { rules }).start({ log: '' });
      return it.give({ type: 'taskEvent', taskId: it.task('a').id, event }).variables.log;
    };
    assert.deepEqual([heard('assignment'), heard('update')], [' update assignment', ' update']);
    assert.deepEqual([heard('assignment', 1), heard('update', 1)], [' assignment', ' update']);
  });

  it('hear of the assignment that a listener to an update makes', () => {
    const listeners = [
      on('update', '${task.setAssignee("eve")}'),
      on('assignment', "${execution.setVariable('log', log.concat(task.assignee))}"),
    ];
    const heard = (event: 'assignment' | 'update', rules?: number) => {
      const it = instance(withTask({}, { listeners }), rules === undefined ? {} : { rules }).start({ log: '' });
      return it.give({ type: 'taskEvent', taskId: it.task('a').id, event }).variables.log;
    };
    assert.deepEqual([heard('update'), heard('assignment'), heard('update', 7)], ['eve', 'eve', '']);
  });

  it('see the facts of the task and of its instance', () => {
    const facts =
      '${task.setVariable("f", task.name.concat(" ").concat(task.taskDefinitionKey).concat(" ").concat(task.eventName))}';
    const it = instance(withTask({}, { name: 'Sign', listeners: [on('create', facts)] })).start();
    assert.equal(it.variables.f, 'Sign a create');
  });

  describe('with listeners of event timeout', () => {
    const HOUR = 3_600_000;
    const timeout = (timer: 'duration' | 'cycle', text: string, expression: string): Listener => ({
      ...listener('timeout', expression, 'task'),
      timer: { kind: 'timer', timer, text },
    });
    const listeners = [
      timeout('duration', 'PT3H', '${task.setAssignee(times.toString().concat(task.eventName))}'),
      timeout('cycle', 'R2/PT1H', "${execution.setVariable('times', times + 1)}"),
    ];
    const due = (it: Instance) => [...it.jobs.values()].map(({ dueAt }) => (dueAt - NOW) / HOUR).sort();
    /** The job that is due at that hour comes. */
    function pass(it: Instance, hour: number): void {
      const job = [...it.jobs.values()].find(({ dueAt }) => dueAt === NOW + hour * HOUR);
      it.now = NOW + hour * HOUR;
      it.give({ type: 'job', jobId: job?.id ?? '' });
    }

    it('tells each at its time, a cycle as often as it goes, and goes on waiting', () => {
      const it = instance(withTask({}, { listeners })).start({ times: 0 });
      assert.deepEqual(due(it), [1, 3]);
      pass(it, 1);
      assert.deepEqual([it.variables.times, due(it)], [1, [2, 3]]);
      pass(it, 2);
      assert.deepEqual([it.variables.times, due(it)], [2, [3]]);
      pass(it, 3);
      assert.deepEqual([due(it), it.active], [[], ['a']]);
      const updated = it.effects.findLast(({ type }) => type === 'updateTask');
      assert.equal(updated?.type === 'updateTask' && updated.task.assignee, '2timeout');
    });

    it('forgets them when the task is done', () => {
      const it = instance(withTask({}, { listeners })).start({ times: 0 }).complete('a');
      assert.deepEqual([it.isCompleted, due(it)], [true, []]);
    });
  });
});
