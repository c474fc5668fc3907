// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test are written so
import assert from 'node:assert/strict';
import type { Ask } from '../../../src/store/index.js';
import { type Instance, instance, NOW } from '../../support/instance.js';
import { listener, program, start, userTask } from '../../support/program.js';

const definition = { candidateUsers: ['ann', 'bob'], candidateGroups: ['it'], dueDate: 'PT1H', formKey: 'form' };
const before = { nothing: null, list: ['c', 'd'], broken: ['c', 'a\ud800'], when: new Date(NOW + 5), big: 2n ** 60n };

/** The process whose user task's create listener evaluates this. */
const created = (text: string): Instance =>
  instance(
    program({ s: start(), a: userTask(definition, { name: 'Sign', listeners: [listener('create', text, 'task')] }) }, [
      's -> a',
    ]),
  ).start(before);

/** What is there once the task is completed with `x`, after its create listener has evaluated this. */
const completed = (text: string): unknown => created(text).complete('a', { x: 'given' }).variables.x;

describe("a variable that a task's listener sets", () => {
  it("is the task's own by the task, so that completing the task sets the process's; by the execution what is around", () => {
    assert.equal(completed('${task.setVariableLocal("x", 1)}'), 'given');
    for (const set of ['task.execution.setVariableLocal("x", 1)', 'execution.setVariableLocal("x", 1)']) {
      assert.equal(created(`\${${set}}`).variables.x, 1);
      assert.equal(completed(`\${${set}}`), 'given');
    }
  });
});

describe('task in an expression', () => {
  const rows: readonly (readonly [string, unknown])[] = [
    ['task.name', 'Sign'],
    ['task.getName()', 'Sign'],
    ['task.description', null],
    ['task.assignee', null],
    ['task.priority', 50],
    ['task.taskDefinitionKey', 'a'],
    ['task.eventName', 'create'],
    ['task.dueDate', new Date(NOW + 3_600_000)],
    ['task.getDueDate()', new Date(NOW + 3_600_000)],
    ['task.followUpDate', null],
    ['task.createTime', new Date(NOW)],
    ['task.formKey', 'form'],
    ['task.processInstanceId', 'instance'],
    ['task.processDefinitionId', 'process:1:x'],
    ['task.executionId == task.execution.id', true],
    ['task.candidates.size()', 3],
    ['task.candidates[0].userId', 'ann'],
    ['task.candidates[0].getGroupId()', null],
    ['task.candidates[2].groupId', 'it'],
    ['task.candidates[2].type', 'candidate'],
    ['task.candidates[0].taskId == task.id', true],
    ['task.getVariable("nothing")', null],
    ['task.hasVariable("list")', true],
  ];
  for (const [text, expected] of rows) {
    it(`${text} is ${JSON.stringify(expected)}`, () =>
      assert.deepEqual(created(`\${task.setVariable("found", ${text})}`).variables.found, expected));
  }

  const refused = [
    'task.secret',
    'task.candidateUsers',
    'task.getSecret()',
    'task.getName(1)',
    'task.hasName()',
    'task.setName()',
    'task.setName("a", "b")',
    'task.explode(1)',
    'task.candidates[0].secret',
    'task.candidates[0].getUserId(1)',
    'task.candidates[0].hasUserId()',
    'task.setPriority("high")',
    'task.setPriority("")',
    'task.setPriority(nothing)',
    'task.setPriority(1.5)',
    'task.setDueDate("soon")',
    'task.addCandidateUsers(broken)',
    'task.setName(broken[1])',
  ];
  for (const text of refused) {
    it(`refuses ${text}`, () =>
      assert.throws(() => created(`\${${text}}`), { code: 'EXECUTION_FAILED', message: /of element 'a'/ }));
  }

  it('tells why it refuses, and for which expression', () => {
    assert.throws(() => created('${task.setPriority("high")}'), {
      message:
        "expected to evaluate '${task.setPriority(\"high\")}' of element 'a', but expected a whole number as priority, but found 'high'",
    });
  });

  const changes: readonly (readonly [string, Record<string, unknown>])[] = [
    ['setName("New")', { name: 'New' }],
    ['setDescription("New")', { description: 'New' }],
    ['setAssignee("eve")', { assignee: 'eve' }],
    ['setOwner("eve")', { owner: 'eve' }],
    ['setName(nothing)', { name: null }],
    ['setPriority(7)', { priority: 7 }],
    ['setPriority(0)', { priority: 0 }],
    ['setPriority("8")', { priority: 8 }],
    ['setPriority(big)', { priority: 2 ** 60 }],
    ['setDueDate(when)', { due: NOW + 5 }],
    ['setDueDate("2026-02-01T00:00:00Z")', { due: Date.UTC(2026, 1, 1) }],
    ['setDueDate(nothing)', { due: null }],
    ['setFollowUpDate(when)', { followUp: NOW + 5 }],
    ['addCandidateUser("ann")', { candidateUsers: ['ann', 'bob'] }],
    ['addCandidateUser("eve")', { candidateUsers: ['ann', 'bob', 'eve'] }],
    ['addCandidateUsers(list)', { candidateUsers: ['ann', 'bob', 'c', 'd'] }],
    ['deleteCandidateUser("ann")', { candidateUsers: ['bob'] }],
    ['addCandidateGroup("hr")', { candidateGroups: ['it', 'hr'] }],
    ['addCandidateGroups(list)', { candidateGroups: ['it', 'c', 'd'] }],
    ['deleteCandidateGroup("it")', { candidateGroups: [] }],
  ];
  const untouched = created('${task.name}').task('a');
  for (const [text, changed] of changes) {
    it(`task.${text} makes it ${JSON.stringify(changed)}`, () =>
      assert.deepEqual(created(`\${task.${text}}`).task('a'), { ...untouched, ...changed }));
  }

  it('is not there outside of task listeners', () => {
    const listeners = [listener('start', '${task.name}')];
    const model = program({ s: start(), a: userTask({}, { listeners }) }, ['s -> a']);
    assert.throws(() => instance(model).start(), { code: 'EXECUTION_FAILED', message: /'task'/ });
  });
});

describe('task in a script', () => {
  it('has its dates as text, its candidates and its form', () => {
    const asked: unknown[] = [];
    const answer = ({ question }: Ask) => {
      asked.push((question as { task: unknown }).task);
      return { value: {} };
    };
    const source = { kind: 'script', language: 'javascript', text: 'x' } as const;
    const listeners = [{ on: 'task', event: 'create', source }] as const;
    const a = userTask(definition, { name: 'Sign', listeners });
    const { id } = instance(program({ s: start(), a }, ['s -> a']), { answer })
      .start()
      .task('a');
    assert.deepEqual(asked, [
      {
        ...{ id, name: 'Sign', description: null, assignee: null, owner: null, priority: 50 },
        ...{ dueDate: '2026-01-01T01:00:00.000Z', followUpDate: null, createTime: '2026-01-01T00:00:00.000Z' },
        ...{ taskDefinitionKey: 'a', eventName: 'create', formKey: 'form' },
        ...{ candidateUsers: ['ann', 'bob'], candidateGroups: ['it'] },
      },
    ]);
  });
});
