import assert from 'node:assert/strict';
import { Work } from '../../src/expression/juel/failure.js';
import { LruCache } from '../../src/expression/juel/lru-cache.js';
import { callMethod } from '../../src/expression/juel/member.js';

describe('the budget of an evaluation', () => {
  it('is a million steps, and not one more', () => {
    const work = new Work();
    work.charge(999_999);
    work.charge(1);
    work.charge(0);
    assert.throws(() => work.charge(1), /within 1000000 steps/);
  });
});

describe('a replacement in a text', () => {
  for (const [text, from, to, steps] of [
    ['abc', 'z', 'xy', 3],
    ['abab', 'ab', 'xyz', 4 + 2 * 3],
    ['abc', '', 'xy', 3 + 4 * 2],
  ] as const)
    it(`takes ${steps} steps for '${from}' by '${to}' in '${text}'`, () => {
      const replaced = (left: number) => {
        const work = new Work();
        work.charge(1_000_000 - left);
        return callMethod(text, 'replace', [from, to], work);
      };
      assert.equal(replaced(steps), text.replaceAll(from, to));
      assert.throws(() => replaced(steps - 1), /within 1000000 steps/);
    });
});

describe('a cache of what was used last', () => {
  it('holds as much as it may, and forgets what was used least recently', () => {
    const cache = new LruCache<number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.size], [1, 2, 2]);
    cache.get('a');
    cache.set('c', 3);
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c'), cache.size], [1, undefined, 3, 2]);
    cache.set('a', 4);
    cache.set('d', 5);
    assert.deepEqual([cache.get('a'), cache.get('c'), cache.get('d'), cache.size], [4, undefined, 5, 2]);
  });
});
