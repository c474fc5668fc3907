import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ScriptSandbox, type ScriptVariable } from '../../src/expression/routes.js';
import { done, failure, scriptRun } from './script-support.js';

const variables: Record<string, ScriptVariable> = {
  amount: { type: 'Long', value: 1500 },
  name: { type: 'String', value: 'Anna' },
  big: { type: 'Long', value: '9007199254740993' },
  start: { type: 'Date', value: '2026-01-01T00:00:00.000Z' },
  order: { type: 'Json', value: { lines: [{ sku: 'x' }], total: 9.5 } },
  nothing: { type: 'Null', value: null },
  odd: { type: 'Double', value: 'NaN' },
  'two words': { type: 'String', value: 'yes' },
};

describe('a script', () => {
  let sandbox: ScriptSandbox;
  before(() => {
    // Longer than the default: these tests are about what scripts do, not about how quick a busy machine is.
    sandbox = new ScriptSandbox({ timeoutMs: 10_000 });
  });
  after(() => sandbox.close());

  describe('gives the value of its last statement', () => {
    const rows: [string, unknown, string?][] = [
      ['1 + 1', 2],
      ['amount * 2', 3000],
      ['name.toUpperCase()', 'ANNA'],
      ['order.lines[0].sku', 'x'],
      ['nothing === null', true],
      ['Number.isNaN(odd)', true],
      ['globalThis["two words"]', 'yes'],
      ['if (amount > 1000) "high"; else "low"', 'high'],
      ['var x = 5', null],
      ['', null],
      ['undefined', null],
      ['null', null],
      ['(function () {})', null],
      ['({ a: [1, { b: "c" }], u: undefined })', { a: [1, { b: 'c' }] }],
      ['start', '2026-01-01T00:00:00.000Z', 'Date'],
      ['new Date(start.getTime() + 1000)', '2026-01-01T00:00:01.000Z', 'Date'],
      ['big', '9007199254740993', 'Long'],
      ['5n', 5, 'Long'],
      ['0 / 0', 'NaN', 'Double'],
      ['-1 / 0', '-Infinity', 'Double'],
      ['[1n, new Date(0)]', [1, '1970-01-01T00:00:00.000Z']],
      ['"\\u0000\\ud83d\\ude00"', '\u0000😀'],
    ];
    for (const [source, expected, type] of rows) {
      it(`${source} is ${JSON.stringify(expected)}`, async () => {
        const { result, types } = await done(sandbox, source, { variables });
        assert.deepEqual(result, expected);
        assert.equal(types.result, type);
      });
    }
  });

  describe('sets variables', () => {
    it('by execution.setVariable', async () => {
      const { variables: set } = await done(
        sandbox,
        'execution.setVariable("a", { b: 1 }); execution.setVariable("amount", 2)',
        {
          variables,
        },
      );
      assert.deepEqual(set, { a: { b: 1 }, amount: 2 });
    });
    it('not by assigning to a name, declared nowhere or a variable already: that is its own, as in Camunda', async () => {
      const source =
        'amount = amount + 1; total = amount * 2; execution.setVariable("name", "Otto"); [amount, total, name, execution.getVariable("amount")]';
      const { variables: set, result } = await done(sandbox, source, { variables });
      assert.deepEqual({ set, result }, { set: { name: 'Otto' }, result: [1501, 3002, 'Anna', 1500] });
    });
    it('which then have no names of their own', async () => {
      const { result } = await done(sandbox, 'execution.setVariable("later", 1); typeof later');
      assert.equal(result, 'undefined');
    });
    it('but not by declaring names of its own', async () => {
      const source = 'var a = 1; let b = 2; const c = 3; function d() {} class E {} for (var i = 0; i < 3; i++); a + i';
      const { variables: set, result } = await done(sandbox, source, { variables });
      assert.deepEqual({ set, result }, { set: {}, result: 4 });
    });
    it('and not by merely reading or changing inside', async () => {
      const { variables: set } = await done(sandbox, 'order.total = 1; name; execution.getVariable("amount")', {
        variables,
      });
      assert.deepEqual(set, {});
    });
    it('with the value that they have at the end', async () => {
      const { variables: set } = await done(
        sandbox,
        'const a = {}, c = []; execution.setVariable("a", a); execution.setVariable("c", c); a.b = 1; c.push(a)',
      );
      assert.deepEqual(set, { a: { b: 1 }, c: [{ b: 1 }] });
    });
    it('and tells the types that JSON cannot', async () => {
      const source =
        'execution.setVariables({ d: new Date(0), l: 9007199254740993n, n: NaN, i: 1 }); execution.setVariableLocal("ld", now())';
      const { types, variables: set, locals } = await done(sandbox, source);
      assert.deepEqual(types, { variables: { d: 'Date', l: 'Long', n: 'Double' }, locals: { ld: 'Date' } });
      assert.deepEqual(set, { d: '1970-01-01T00:00:00.000Z', l: '9007199254740993', n: 'NaN', i: 1 });
      assert.deepEqual(locals, { ld: '2026-01-31T08:30:00.000Z' });
    });
    it('in its local scope by setVariableLocal, where later changes stay', async () => {
      const source =
        'execution.setVariableLocal("x", 1); execution.setVariable("x", 2); execution.setVariable("y", execution.getVariable("x"))';
      const { variables: set, locals } = await done(sandbox, source);
      assert.deepEqual({ set, locals }, { set: { y: 2 }, locals: { x: 2 } });
    });
    it('and removes them', async () => {
      const source =
        'execution.removeVariable("amount"); execution.removeVariable("unknown"); [execution.hasVariable("amount"), execution.getVariable("amount"), typeof amount]';
      const { removed, result } = await done(sandbox, source, { variables });
      assert.deepEqual({ removed, result }, { removed: ['amount'], result: [false, null, 'number'] });
    });
    it('removed and set again is set', async () => {
      const { removed, variables: set } = await done(
        sandbox,
        'execution.removeVariable("amount"); execution.setVariable("amount", 1)',
        { variables },
      );
      assert.deepEqual({ removed, set }, { removed: [], set: { amount: 1 } });
    });
  });

  describe('knows its execution', () => {
    const rows: [string, unknown][] = [
      ['execution.getProcessInstanceId()', 'p-1'],
      ['execution.getProcessBusinessKey()', 'key-1'],
      ['execution.getBusinessKey()', 'key-1'],
      ['execution.getProcessDefinitionId()', 'order:1:d-1'],
      ['execution.getCurrentActivityId()', 'check'],
      ['execution.getId()', 'e-1'],
      ['execution.id', 'e-1'],
      ['execution.hasVariable("amount")', true],
      ['execution.hasVariable("toString")', false],
      ['execution.getVariable("amount")', 1500],
      ['execution.getVariable("missing")', null],
      ['execution.getVariables().name', 'Anna'],
      ['execution.getVariableNames().length', 8],
      ['execution.hasVariableLocal("amount")', false],
      ['execution.setVariables({ p: 1, q: 2 }); execution.getVariable("p") + execution.getVariable("q")', 3],
      ['typeof task', 'undefined'],
    ];
    for (const [source, expected] of rows) {
      it(source, async () => assert.deepEqual((await done(sandbox, source, { variables })).result, expected));
    }
    it('and the task, in a listener of one', async () => {
      const { result } = await done(sandbox, '[task.getAssignee(), task.name]', {
        task: { assignee: 'anna', name: 'Check' },
      });
      assert.deepEqual(result, ['anna', 'Check']);
    });
    it('and what a listener changes of its task, by setters, assignments and variables', async () => {
      const source = `task.setAssignee("bob"); task.dueDate = new Date(0); task.addCandidateGroups(["a", "b"]);
        task.setVariable("seen", task.assignee); [task.getAssignee(), task.execution.getId()]`;
      const {
        result,
        variables: set,
        task,
      } = await done(sandbox, source, { task: { assignee: 'anna', dueDate: null } });
      assert.deepEqual(result, ['bob', 'e-1']);
      assert.deepEqual(set, { seen: 'bob' });
      assert.deepEqual(task, [
        { method: 'setAssignee', value: 'bob' },
        { method: 'setDueDate', value: '1970-01-01T00:00:00.000Z' },
        { method: 'addCandidateGroups', value: ['a', 'b'] },
      ]);
    });
    it('also when a variable has the name of something else', async () => {
      const named = (value: string): ScriptVariable => ({ type: 'String', value });
      const { result } = await done(sandbox, '[execution.id, typeof JSON.parse, now, execution.getVariable("JSON")]', {
        variables: { execution: named('x'), JSON: named('y'), now: named('z') },
      });
      assert.deepEqual(result, ['e-1', 'function', 'z', 'y']);
    });
  });

  describe('is repeatable', () => {
    it('the time stands still, and the zone is UTC wherever the server is', async () => {
      const source = `[Date.now(), +new Date(), +now(), new Date().getTimezoneOffset(), new Date(2026, 0, 1).toISOString(),
        new Date('2026-01-01T00:00:00').getTime(), new Date() instanceof Date, Date().slice(0, 15), new Date(0).constructor === Date]`;
      const { result } = await done(sandbox, source);
      const now = Date.parse('2026-01-31T08:30:00.000Z');
      const newYear = '2026-01-01T00:00:00.000Z';
      assert.deepEqual(result, [now, now, now, 0, newYear, Date.parse(newYear), true, 'Sat Jan 31 2026', true]);
    });
    it('random numbers come from the seed', async () => {
      const source = '[Math.random(), Math.random(), Math.random()]';
      const first = await done(sandbox, source);
      assert.deepEqual(await done(sandbox, source), first);
      assert.notDeepEqual((await done(sandbox, source, { seed: 'seed-2' })).result, first.result);
      for (const number of first.result as number[]) assert.ok(number >= 0 && number < 1);
    });
    it('nothing is left of one run in the next', async () => {
      await done(sandbox, 'leak = 1; Array.prototype.map.tag = 1; Object.prototype.polluted = 1; Math.random = null');
      const { result } = await done(
        sandbox,
        '[typeof leak, typeof [].map.tag, typeof ({}).polluted, typeof Math.random]',
      );
      assert.deepEqual(result, ['undefined', 'undefined', 'undefined', 'function']);
    });
  });

  it('may print to nowhere', async () => {
    const { result } = await done(sandbox, 'print("x"); console.log(1); console.error(2); 3');
    assert.equal(result, 3);
  });

  describe('may throw a BpmnError', () => {
    it('with code and message, and keeps what it set before', async () => {
      const { bpmnError, variables: set } = await done(
        sandbox,
        'execution.setVariable("a", 1); throw new BpmnError("LATE", "too late")',
      );
      assert.deepEqual({ bpmnError, set }, { bpmnError: { code: 'LATE', message: 'too late' }, set: { a: 1 } });
    });
    it('without a message', async () => {
      const { bpmnError } = await done(sandbox, 'function f() { throw new BpmnError("LATE") } f()');
      assert.deepEqual(bpmnError, { code: 'LATE', message: null });
    });
    it('and catch it', async () => {
      const { bpmnError, result } = await done(
        sandbox,
        'try { throw new BpmnError("A") } catch (e) { e.getErrorCode() }',
      );
      assert.deepEqual({ bpmnError, result }, { bpmnError: undefined, result: 'A' });
    });
  });

  describe('fails in words', () => {
    const rows: [string, RegExp, number?][] = [
      ['foo()', /^ReferenceError: .*foo/, 1],
      ['\n\n  null.x', /^TypeError: /, 3],
      ['var a = 1;\nvar b = ;', /^SyntaxError: /, 2],
      ['throw new Error("no stock")', /^Error: no stock$/, 1],
      ['throw "a text"', /^a text$/],
      ['throw null', /^null$/],
      ['throw { a: 1 }', /without a message/],
      ['throw { message: "m" }', /^m$/],
      ['var o = {}; o.o = o; o', /circular/],
      ['new Promise(() => {})', /cannot be a promise/],
      ['import x from "fs"', /^SyntaxError/],
      ['execution.kill()', /not a function/, 1],
      ['new Date(NaN)', /^RangeError/],
      ['throw new Error("x".repeat(100000))', /^Error: x{1000}/],
    ];
    for (const [source, message, line] of rows) {
      it(`${JSON.stringify(source)}`, async () => {
        const error = await failure(sandbox, source, { variables });
        assert.match(error.message, message);
        assert.ok(error.message.length <= 2000);
        if (line !== undefined) assert.equal(error.line, line);
      });
    }
  });

  it('gets and gives JSON as it is', () =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const given = JSON.parse(JSON.stringify(value));
        const { result } = await done(sandbox, 'copy = v; v', { variables: { v: { type: 'Json', value: given } } });
        assert.equal(JSON.stringify(result), JSON.stringify(given));
      }),
      { numRuns: 50 },
    ));

  it('waits its turn: many at once all get their own answer', async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) => done(sandbox, 'n * n', { variables: { n: { type: 'Long', value: i } } })),
    );
    assert.deepEqual(
      results.map(({ result }) => result),
      Array.from({ length: 20 }, (_, i) => i * i),
    );
  });
});

describe('the script sandbox', () => {
  it('refuses runs once it is closed, those that wait too', async () => {
    const sandbox = new ScriptSandbox({ timeoutMs: 10_000 });
    const runs = [sandbox.run(scriptRun('while (true);')), sandbox.run(scriptRun('1'))];
    const closing = sandbox.close();
    for (const run of runs) await assert.rejects(run, { name: 'ServiceError', code: 'UNAVAILABLE' });
    await closing;
    await assert.rejects(sandbox.run(scriptRun('1')), { code: 'UNAVAILABLE', message: /has been closed/ });
  });

  it('refuses more than a thousand that wait', async () => {
    const sandbox = new ScriptSandbox();
    const runs = Array.from({ length: 1001 }, () => sandbox.run(scriptRun('1')));
    await assert.rejects(runs[1000] ?? Promise.resolve(), { code: 'UNAVAILABLE', message: /at most 1000 scripts/ });
    const ended = Promise.allSettled(runs);
    await sandbox.close();
    await ended;
  });

  it('is warm when a thread can take a script', async () => {
    const sandbox = new ScriptSandbox({ timeoutMs: 10_000 });
    await sandbox.warmUp();
    assert.equal((await done(sandbox, '6 * 7')).result, 42);
    await sandbox.close();
  });

  it('says why no thread can start', async () => {
    const sandbox = new ScriptSandbox({ memoryBytes: -100_000_000 });
    await assert.rejects(sandbox.warmUp(), /the script thread did not start/);
    await sandbox.close();
  });

  it('may be closed without ever having run anything', () => new ScriptSandbox().close());
});
