import assert from 'node:assert/strict';
import type { StandardLoop } from '../../../src/engine/model/program.js';
import { instance } from '../../support/instance.js';
import {
  boundary,
  type ElementSpec,
  end,
  message,
  program,
  service,
  start,
  subProcess,
  task,
  userTask,
  when,
} from '../../support/program.js';

const loop = (more: Partial<StandardLoop>): StandardLoop => ({
  kind: 'standard',
  testBefore: false,
  maximum: null,
  condition: null,
  ...more,
});
const around = (a: ElementSpec, more: Readonly<Record<string, ElementSpec>> = {}, flows: readonly string[] = []) =>
  program({ s: start(), a, ...more, e: end() }, ['s -> a', 'a -> e', ...flows]);
const count = (more: Partial<StandardLoop>, n = 0) =>
  instance(around(service('${n + 1}', 'n', { loop: loop(more) }))).start({ n }).variables.n;

describe('a standard loop', () => {
  it('goes round while its condition holds, at least once where that is tested behind it', () => {
    const condition = when('${n < 3}');
    assert.deepEqual([count({ condition }), count({ condition, testBefore: true })], [3, 3]);
    assert.deepEqual([count({ condition }, 5), count({ condition, testBefore: true }, 5)], [6, 5]);
  });

  it('goes round no more often than it may', () => {
    assert.deepEqual(
      [0, 1, 4].map((maximum) => count({ maximum })),
      [0, 1, 4],
    );
    assert.equal(count({ maximum: 2, condition: when('${true}') }), 2);
    assert.equal(count({ maximum: 2, condition: when('${true}'), testBefore: true }), 2);
  });

  it('counts its rounds, for its condition and for each round', () => {
    assert.equal(count({ condition: when('${loopCounter < 3}') }), 3);
    assert.equal(count({ condition: when('${loopCounter < 3}'), testBefore: true }), 3);
    const names = instance(
      around({ ...userTask({}, { loop: loop({ maximum: 2 }) }), name: 'round ${loopCounter}' }),
    ).start();
    assert.equal(names.task('a').name, 'round 0');
    assert.equal(names.complete('a').task('a').name, 'round 1');
    assert.ok(names.complete('a').isCompleted);
  });

  it('has an activity for each round within one for the loop', () => {
    const it = instance(around(userTask({}, { loop: loop({ maximum: 2 }) })))
      .start()
      .complete('a');
    assert.deepEqual(it.trail, ['s', 'a#?', 'a', 'a?']);
    assert.deepEqual(it.complete('a').trail, ['s', 'a#', 'a', 'a', 'e']);
    assert.deepEqual(instance(around(task({ loop: loop({ maximum: 0 }) }))).start().trail, ['s', 'a#', 'e']);
  });

  it('is of a sub-process, too, and is interrupted as a whole', () => {
    const elements = {
      s1: start({ in: 'a' }),
      w: userTask({}, { in: 'a' }),
      b: boundary('a', message('m')),
      t: task(),
    };
    const model = around(subProcess({ loop: loop({ condition: when('${again}') }) }), elements, ['s1 -> w', 'b -> t']);
    const it = instance(model).start({ again: true }).complete('w').complete('w');
    assert.deepEqual(
      it.trail.filter((id) => id === 'w'),
      ['w', 'w'],
    );
    it.trigger('b');
    assert.deepEqual([it.tasks.size, it.isCompleted], [0, true]);
  });

  it('neither overflows nor blocks in 50,000 rounds, and is cut as other runs are', () => {
    const it = instance(around(service('${n + 1}', 'n', { loop: loop({ condition: when('${n < 50000}') }) }))).start({
      n: 0,
    });
    assert.deepEqual([it.variables, it.isCompleted], [{ n: 50_000 }, true]);
    assert.ok(it.runs >= 100);
  });
});
