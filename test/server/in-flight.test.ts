import assert from 'node:assert/strict';
import { InFlight } from '../../src/server/lifecycle.js';

describe('things in flight', () => {
  it('come and go in any order, each once', () => {
    const all = new InFlight<{ readonly n: number }>();
    const things = Array.from({ length: 50 }, (_, n) => ({ n }));
    for (const thing of things) all.add(thing);
    for (const thing of things) if (thing.n % 3 !== 0) all.delete(thing);
    for (const thing of things) if (thing.n % 2 === 0) all.delete(thing);
    const left = things.filter(({ n }) => n % 3 === 0 && n % 2 === 1);
    assert.deepEqual(
      [...all].sort((one, other) => one.n - other.n),
      left,
    );
    assert.equal(all.size, left.length);
    for (const thing of all) all.delete(thing);
    assert.equal(all.size, 0);
    all.delete({ n: 1 });
    assert.deepEqual([...all], []);
  });
});
