import assert from 'node:assert/strict';
import { ScriptSandbox } from '../../src/expression/routes.js';
import { done, failure, scriptRun } from './script-support.js';

// Slow: scripts run into their limits of time and memory.

describe('a script that never ends', () => {
  const TIMEOUT_MS = 500;
  let sandbox: ScriptSandbox;
  before(() => {
    sandbox = new ScriptSandbox({ timeoutMs: TIMEOUT_MS });
  });
  after(() => sandbox.close());

  const ENDLESS = [
    'while (true);',
    'for (;;) try { (function f() { f() })() } catch {}',
    '/^(a+)+$/.test("a".repeat(40) + "b")',
    '({ toJSON() { while (true); } })',
    'throw { get message() { while (true); } }',
    'var a = []; for (;;) try { a.push(new Array(1000).fill({})) } catch { a = [] }',
  ];
  for (const source of ENDLESS) {
    it(`is ended: ${source}`, async () => {
      const { kind, message } = await failure(sandbox, source);
      assert.deepEqual({ kind, message }, { kind: 'timeout', message: `script took longer than ${TIMEOUT_MS} ms` });
    });
  }

  it('does no harm to the next one', async () => {
    assert.equal((await done(sandbox, '6 * 7')).result, 42);
  });

  it('leaves the event loop free', async () => {
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 5);
    const { kind } = await failure(sandbox, 'while (true);');
    clearInterval(ticking);
    assert.equal(kind, 'timeout');
    assert.ok(ticks > TIMEOUT_MS / 5 / 4, `${ticks} ticks in ${TIMEOUT_MS} ms`);
  });

  it('is not taken for one because the server itself was late', async () => {
    const quick = new ScriptSandbox({ timeoutMs: 200 });
    try {
      await quick.run(scriptRun('1'));
      const run = quick.run(scriptRun('2'));
      const blockedUntil = performance.now() + 600;
      while (performance.now() < blockedUntil);
      assert.equal(((await run) as { result?: unknown }).result, 2);
    } finally {
      await quick.close();
    }
  });

  it('is not taken for one because its variables take long to be read', async () => {
    const quick = new ScriptSandbox({ timeoutMs: 1_000, memoryBytes: 1024 * 1024 * 1024 });
    const value = Array.from({ length: 1_500_000 }, (_, n) => ({ n }));
    try {
      const ran = await quick.run(scriptRun('1 + 1', { variables: { large: { type: 'Json', value } } }));
      assert.equal((ran as { result?: unknown }).result, 2);
    } finally {
      await quick.close();
    }
  });

  it('does not hold up a second thread', async () => {
    const two = new ScriptSandbox({ threads: 2, timeoutMs: 5000 });
    try {
      const endless = two.run(scriptRun('while (true);'));
      endless.catch(() => undefined);
      assert.equal((await done(two, '1')).result, 1);
    } finally {
      await two.close();
    }
  });
});

describe('a script that wants everything', () => {
  let sandbox: ScriptSandbox;
  before(() => {
    sandbox = new ScriptSandbox({ timeoutMs: 20_000, memoryBytes: 16 * 1024 * 1024 });
  });
  after(() => sandbox.close());

  const GREEDY = [
    'new ArrayBuffer(1e9)',
    '"x".padEnd(1e8)',
    'var s = "xx"; for (var i = 0; i < 26; i++) s += s; s.split("")',
    'var a = []; while (true) a.push("x".repeat(100000))',
    'var a = []; while (true) a.push("x".repeat(1000000))',
    'var o = {}; for (var i = 0; ; i++) o["k" + i] = [i]',
  ];
  for (const source of GREEDY) {
    it(`does not get it: ${source}`, async () => {
      const { kind, message } = await failure(sandbox, source);
      assert.deepEqual({ kind, message }, { kind: 'memory', message: 'script used more than 16 MB of memory' });
    });
  }

  const NESTED = [
    '(function f() { return f() + 1 })()',
    'JSON.parse("[".repeat(100000))',
    'JSON.parse("[".repeat(100000) + "]".repeat(100000))',
    'var a = []; for (var i = 0; i < 5000; i++) a = [a]; a',
    'eval("(".repeat(100000))',
    'new RegExp("(".repeat(50000) + ")".repeat(50000))',
    'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
    'throw Symbol("x")',
  ];
  for (const source of NESTED) {
    it(`fails as a script does: ${source}`, async () => {
      const { kind, message } = await failure(sandbox, source);
      assert.ok(kind === 'thrown' || kind === 'output', `${kind}: ${message}`);
    });
  }

  it('does no harm to the next one', async () => assert.equal((await done(sandbox, '6 * 7')).result, 42));
});
