import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { DecisionThreads } from '../../../src/engine/decision/decision-threads.js';
import { typed } from '../../../src/engine/element/native.js';

describe('threads of decisions', () => {
  const threads = new DecisionThreads({ timeoutMs: 500 });
  after(() => threads.close());

  const feel = (text: string, values: Readonly<Record<string, unknown>> = {}) =>
    threads.answer({
      kind: 'feel',
      question: {
        text,
        elementId: 'e',
        now: 0,
        variables: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typed(value)])),
      },
    });

  it('evaluate FEEL, with typed values there and back', async () => {
    assert.deepEqual(await feel('for x in xs return x * 2', { xs: [1, 2] }), {
      value: { type: 'Json', value: [2, 4] },
      cause: null,
    });
    assert.deepEqual(await feel('at + duration("P1D")', { at: new Date(0) }), {
      value: { type: 'Date', value: '1970-01-02T00:00:00.000Z' },
      cause: null,
    });
  });

  it('are ended where an expression takes too long, and the next one is evaluated', async () => {
    const endless = feel('matches(a, "^(a+)+$")', { a: `${'a'.repeat(40)}b` });
    const next = feel('1 + 1');
    await assert.rejects(endless, { code: 'EXECUTION_FAILED', message: /^it took longer than 500 ms$/ });
    assert.deepEqual(await next, { value: { type: 'Integer', value: 2 }, cause: null });
  });

  it('refuse what gives too much', async () => {
    const xs = Array.from({ length: 30_000 }, () => 1);
    await assert.rejects(feel('concatenate(xs, xs, xs, xs)', { xs }), { message: /fewer than 100000 values/ });
    const doubling = `{a0: "${'x'.repeat(100)}", ${Array.from({ length: 40 }, (_, n) => `a${n + 1}: a${n} + a${n}`).join(', ')}}`;
    await assert.rejects(feel(doubling), { code: 'EXECUTION_FAILED' });
    await assert.rejects(feel('for i in 1..100000, j in 1..100000 return 1'), { code: 'EXECUTION_FAILED' });
  });

  it('may be ended at any moment of their start, and nothing else ends with them', async () => {
    const begun = performance.now();
    const starting = async (within: number) => {
      const threads = new DecisionThreads();
      const question = { text: '1', elementId: 'e', now: 0, variables: {} };
      const code = threads.answer({ kind: 'feel', question }).then(
        () => null,
        (refused) => refused.code,
      );
      await Promise.race([code, setTimeout(within)]);
      await threads.close();
      return code;
    };
    assert.equal(await starting(60_000), null);
    const whole = performance.now() - begun;
    for (let part = 0.3; part < 1; part += 0.05) {
      assert.ok([null, 'UNAVAILABLE'].includes(await starting(whole * part)));
    }
  });
});
