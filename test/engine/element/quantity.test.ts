import assert from 'node:assert/strict';
import { instance } from '../../support/instance.js';
import { end, gateway, listener, program, start, task, userTask } from '../../support/program.js';

const marked = { listeners: [listener('start', "${execution.setVariable('n', n + 1)}")] };

describe('the quantities of an activity', () => {
  it('let it begin once so many tokens have come, on whatever flow', () => {
    const model = program(
      {
        s: start(),
        f: gateway('parallel'),
        a: userTask(),
        b: userTask(),
        c: userTask(),
        w: userTask({}, { startQuantity: 2 }),
        e: end(),
      },
      ['s -> f', 'f -> a', 'f -> b', 'f -> c', 'a -> w', 'b -> w', 'c -> w', 'w -> e'],
    );
    const it = instance(model).start().complete('a');
    assert.deepEqual([it.active.sort(), it.trail.at(-1)], [['b', 'c', 'w'], 'c?']);
    it.complete('b');
    assert.deepEqual(it.trail.slice(-1), ['w?']);
    it.complete('w').complete('c');
    assert.ok(!it.isCompleted, 'one token waits for another');
  });

  it('hold a continuation before it until then', () => {
    const model = program(
      { s: start(), f: gateway('parallel'), w: userTask({}, { startQuantity: 2, asyncBefore: true }), e: end() },
      ['s -> f', 'f -> w', 'f -> w', 'w -> e'],
    );
    const it = instance(model).start();
    assert.equal(it.jobs.size, 1);
    assert.ok(it.fire('w').complete('w').isCompleted);
  });

  it('give so many tokens when it is done', () => {
    for (const asyncAfter of [false, true]) {
      const model = program({ s: start(), a: task({ completionQuantity: 3, asyncAfter }), w: task(marked), e: end() }, [
        's -> a',
        'a -> w',
        'w -> e',
      ]);
      const it = instance(model).start({ n: 0 });
      while (it.jobs.size > 0) it.fire('a');
      assert.deepEqual([it.variables.n, it.isCompleted], [3, true]);
    }
  });
});
