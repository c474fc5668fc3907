import assert from 'node:assert/strict';
import { appendedKey, keyBetween } from '../../../src/content/tree/order-key.js';
import { Random } from '../../support/random.js';

describe('order keys of siblings', () => {
  it('are appended in the order of commits, and within one', () => {
    const keys = [
      appendedKey(1, 0),
      appendedKey(1, 1),
      appendedKey(1, 36 ** 3 - 1),
      appendedKey(2, 0),
      appendedKey(1e9, 0),
    ];
    assert.deepEqual([...keys].sort(), keys);
  });

  const BETWEEN: readonly (readonly [string | null, string | null, string])[] = [
    [null, null, 'i'],
    ['1', '3', '2'],
    ['1', '2', '1i'],
    ['1', null, 'i'],
    ['z', null, 'zi'],
    [null, '1', '0i'],
    [null, '01', '00i'],
    ['1z', '2', '1zi'],
    ['1', '11', '10i'],
    ['ab', 'ad', 'ac'],
  ];
  for (const [before, after, key] of BETWEEN) {
    it(`between ${before} and ${after} are ${key}`, () => assert.equal(keyBetween(before, after), key));
  }

  it('always leave room for one more', () => {
    const random = new Random(1);
    const keys = [appendedKey(7, 0), appendedKey(7, 1)];
    for (let n = 0; n < 500; n++) {
      const at = random.below(keys.length + 1);
      keys.splice(at, 0, keyBetween(keys[at - 1] ?? null, keys[at] ?? null));
    }
    assert.deepEqual([...keys].sort(), keys);
    assert.equal(new Set(keys).size, keys.length);
  });
});
