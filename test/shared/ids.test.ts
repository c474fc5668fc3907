import assert from 'node:assert/strict';
import { idSource, newId, newSeed, seedFrom } from '../../src/shared/ids.js';

describe('ids', () => {
  it('are UUIDs of version 7 and of the time given', () => {
    const id = idSource(newSeed(), Date.UTC(2026, 0, 1)).next();
    assert.match(id, /^019b76da-a800-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('sort in the order of their making, also when the clock stands still', () => {
    const ids: string[] = [];
    for (let decision = 0; decision < 5_000; decision++) {
      const source = idSource(newSeed(), 1_000);
      ids.push(source.next(), source.next());
    }
    assert.deepEqual(ids.toSorted(), ids);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('of a derived seed sort like those of the seed that it comes from', () => {
    const [first, second] = [newSeed(), newSeed()];
    const early = idSource(seedFrom(first, 'run 1'), 0).next();
    const late = idSource(seedFrom(second, 'run 1'), 0).next();
    assert.ok(early < late);
    assert.notEqual(seedFrom(first, 'run 1'), seedFrom(first, 'run 2'));
  });

  it('are the same again for the same seed and time', () => {
    const seed = newSeed();
    assert.equal(idSource(seed, 5).next(), idSource(seed, 5).next());
    assert.notEqual(newId(5), newId(5));
  });
});
