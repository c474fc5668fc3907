import assert from 'node:assert/strict';
import { ScriptSandbox, type ScriptVariable } from '../../src/expression/routes.js';
import { done } from './script-support.js';

const variables: Record<string, ScriptVariable> = {
  amount: { type: 'Integer', value: 1500 },
  big: { type: 'Long', value: '9007199254740993' },
  ratio: { type: 'Double', value: 0.5 },
  name: { type: 'String', value: 'Anna' },
  start: { type: 'Date', value: '2026-01-01T00:00:00.000Z' },
  order: { type: 'Json', value: { total: 9.5 } },
  nothing: { type: 'Null', value: null },
  yes: { type: 'Boolean', value: true },
};
const own = ['amount', 'name'];

const task = {
  id: 't-1',
  name: 'Check',
  assignee: null,
  candidateUsers: ['ann'],
  candidateGroups: ['it', 'hr'],
  createTime: '2026-01-01T00:00:00.000Z',
};

describe('a script', () => {
  let sandbox: ScriptSandbox;
  before(() => {
    sandbox = new ScriptSandbox({ timeoutMs: 10_000 });
  });
  after(() => sandbox.close());

  const typeOf = (name: string) => `execution.getVariableTyped("${name}").getType().getName()`;
  const set = (value: string) => `execution.setVariable("x", ${value}); ${typeOf('x')}`;

  describe('finds in its execution', () => {
    const rows: readonly (readonly [string, unknown])[] = [
      [typeOf('amount'), 'integer'],
      [typeOf('big'), 'long'],
      [typeOf('ratio'), 'double'],
      [typeOf('name'), 'string'],
      [typeOf('start'), 'date'],
      [typeOf('order'), 'json'],
      [typeOf('nothing'), 'null'],
      [typeOf('yes'), 'boolean'],
      [set('1'), 'integer'],
      [set('2147483647'), 'integer'],
      [set('2147483648'), 'long'],
      [set('-2147483648'), 'long'],
      [set('2 ** 53'), 'double'],
      [set('1.5'), 'double'],
      [set('5n'), 'long'],
      [set('"a"'), 'string'],
      [set('false'), 'boolean'],
      [set('[1]'), 'json'],
      [set('new Date(0)'), 'date'],
      [set('undefined'), 'null'],
      [`execution.setVariableLocal("ratio", "text"); ${typeOf('ratio')}`, 'string'],
      [`execution.setVariable("ratio", 1); ${typeOf('ratio')}`, 'integer'],
      ['execution.getVariableTyped("name").getValue()', 'Anna'],
      ['execution.getVariableTyped("name").value', 'Anna'],
      ['execution.getVariableTyped("name").type.name', 'string'],
      ['execution.getVariableTyped("name").isTransient()', false],
      ['execution.getVariableTyped("missing")', null],
      ['execution.getVariableLocalTyped("name").value', 'Anna'],
      ['execution.getVariableLocalTyped("big")', null],
      ['execution.hasVariableLocal("name")', true],
      ['execution.hasVariableLocal("big")', false],
      ['execution.getVariableLocal("name")', 'Anna'],
      ['execution.getVariableLocal("ratio")', null],
      ['execution.getVariableNamesLocal()', ['amount', 'name']],
      ['execution.getVariablesLocal()', { amount: 1500, name: 'Anna' }],
      ['execution.hasVariables()', true],
      ['execution.hasVariablesLocal()', true],
      ['execution.removeVariablesLocal(); execution.hasVariablesLocal()', false],
      ['execution.removeVariables(); execution.getVariableNames().length', 6],
      ['execution.removeVariables(execution.getVariableNames()); execution.hasVariables()', false],
      ['execution.removeVariablesLocal(["name", "big"]); execution.getVariableNames().length', 7],
      ['execution.removeVariableLocal("big"); execution.hasVariable("big")', true],
      ['execution.removeVariableLocal("name"); execution.hasVariable("name")', false],
      ['execution.setVariableLocal("x", 1); execution.removeVariableLocal("x"); execution.hasVariable("x")', false],
      [
        'execution.setVariableLocal("big", 1); execution.removeVariable("big"); String(execution.getVariable("big"))',
        '9007199254740993',
      ],
      ['execution.setVariablesLocal({ p: 1, q: 2 }); execution.getVariableNamesLocal()', ['amount', 'name', 'p', 'q']],
      ['execution.setVariableLocal("x", 1); execution.hasVariable("x") && execution.hasVariableLocal("x")', true],
      ['execution.businessKey', 'key-1'],
      [
        'execution.setProcessBusinessKey("new"); [execution.processBusinessKey, execution.getBusinessKey()]',
        ['new', 'new'],
      ],
      ['execution.setProcessBusinessKey(); execution.getProcessBusinessKey()', null],
    ];
    for (const [source, expected] of rows) {
      it(`${source}: ${JSON.stringify(expected)}`, async () =>
        assert.deepEqual((await done(sandbox, source, { variables, own })).result, expected));
    }
  });

  describe('finds in its task', () => {
    const users = 'task.getCandidates().map((it) => it.userId ?? it.groupId)';
    const rows: readonly (readonly [string, unknown])[] = [
      ['task.candidates.map((it) => it.getUserId())', ['ann', null, null]],
      ['task.candidates.map((it) => it.groupId)', [null, 'it', 'hr']],
      ['task.candidates[0].type + task.candidates[0].getTaskId()', 'candidatet-1'],
      [`task.addCandidateUser("bob"); ${users}`, ['ann', 'bob', 'it', 'hr']],
      [`task.addCandidateGroups(["it", "x"]); ${users}`, ['ann', 'it', 'hr', 'x']],
      [`task.deleteCandidateGroup("it"); ${users}`, ['ann', 'hr']],
      [`task.deleteCandidateUser(); ${users}`, ['ann', 'it', 'hr']],
      ['task.createTime.getTime() === task.getCreateTime().getTime()', true],
      ['task.getDescription()', null],
      ['task.priority = 7; task.getPriority()', 7],
      ['task.setName(undefined); task.name', null],
      ['task.getVariable("name")', 'Anna'],
      ['task.execution.id', 'e-1'],
    ];
    for (const [source, expected] of rows) {
      it(`${source}: ${JSON.stringify(expected)}`, async () =>
        assert.deepEqual((await done(sandbox, source, { variables, own, task })).result, expected));
    }

    it('how it is completed', async () => {
      const { task: calls } = await done(sandbox, 'task.complete()', { task });
      assert.deepEqual(calls, [{ method: 'complete', value: null }]);
    });

    it('no time of creation, and nobody, where a former version asks', async () => {
      const { id, name } = task;
      const { result } = await done(sandbox, '[task.createTime, task.candidates]', { task: { id, name } });
      assert.deepEqual(result, [null, []]);
    });
  });

  it('finds a clock that stands still, in every way of asking for it', async () => {
    const source =
      '[Date.now(), +new Date(), +now(), Date.UTC(2026, 0), Date.parse("2026-01-01"), new Date(5).getTime()]';
    const { result } = await done(sandbox, `${source}.concat(typeof Date(), new Date() instanceof Date)`, { now: 77 });
    const year = Date.UTC(2026, 0);
    assert.deepEqual(result, [77, 77, 77, year, year, 5, 'string', true]);
  });

  it('gives whole numbers beyond ±2^53 as text, wherever they stand', async () => {
    const { result } = await done(sandbox, '[9007199254740991n, 9007199254740992n, -9007199254740992n]');
    assert.deepEqual(result, [Number.MAX_SAFE_INTEGER, '9007199254740992', '-9007199254740992']);
  });

  describe('finds in its process instance', () => {
    const around = { inner: ['amount', 'name'], hidden: { amount: { type: 'Integer', value: 7 } } };
    const ran = (source: string) =>
      done(sandbox, `const p = execution.getProcessInstance(); ${source}`, { variables, own, ...around });

    it('what it is, and variables of its own alone', async () => {
      const { result } =
        await ran(`[p.getId(), p.id, p.getBusinessKey(), execution.processInstance === p, p.processInstance === p,
        p.getVariable('amount'), p.getVariableLocal('ratio'), p.getVariable('name'), p.hasVariable('name'), p.getVariableNames().includes('name'),
        p.getVariableTyped('amount').getType().getName(), p.getVariables().amount, execution.getVariable('amount')]`);
      assert.deepEqual(result, ['p-1', 'p-1', 'key-1', true, true, 7, 0.5, null, false, false, 'integer', 7, 1500]);
    });

    it('what it sets there, beside what hides it', async () => {
      const {
        variables: set,
        process,
        locals,
      } = await ran(
        `p.setVariable('amount', new Date(0)); p.setVariable('x', 1); execution.setVariable('name', 'B'); execution.setVariableLocal('yes', 0); p.setVariable('yes', 1)`,
      );
      assert.deepEqual(
        [set, process, locals],
        [{ x: 1, name: 'B', yes: 1 }, { amount: '1970-01-01T00:00:00.000Z' }, { yes: 0 }],
      );
    });

    it('no more what it has removed there', async () => {
      const { removed, processRemoved } = await ran(
        `p.removeVariable('amount'); p.removeVariable('name'); p.removeVariable('ratio')`,
      );
      assert.deepEqual([removed, processRemoved], [['ratio'], ['amount']]);
    });
  });
});
