import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canReach, reachSet } from '../../../src/engine/model/reach.js';

describe('a set of elements', () => {
  it('holds what was put into it and nothing else', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(300)), (elements) => {
        const set = reachSet(elements);
        for (let element = 0; element < 320; element++) {
          assert.equal(canReach(set, element), elements.includes(element), `${element} of ${elements}`);
        }
      }),
    );
  });

  it('is short text', () => {
    assert.equal(reachSet([]), '');
    assert.equal(reachSet([0]), '1');
    assert.equal(reachSet([7, 4, 1]), '29');
  });
});
