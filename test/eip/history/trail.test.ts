import assert from 'node:assert/strict';
import { Trail } from '../../../src/eip/history/trail.js';

describe('the trail of an exchange', () => {
  it('has its steps in the order in which they were entered, with how long they took', () => {
    const trail = new Trail(1000);
    const outer = trail.enter(4, 1000.5);
    const inner = trail.enter(7, 1001);
    assert.equal(trail.leave(inner, 1001.25), 250);
    assert.equal(trail.leave(outer, 1002), 1500);
    assert.deepEqual(
      [...trail],
      [
        { step: 4, entered: 500, taken: 1500 },
        { step: 7, entered: 1000, taken: 250 },
      ],
    );
  });

  it('tells of steps that were not left', () => {
    const trail = new Trail(0);
    trail.enter(1, 0);
    assert.deepEqual(
      [...trail].map(({ taken }) => taken),
      [-1],
    );
  });

  it('remembers the first thousand steps, and counts the others', () => {
    const trail = new Trail(0);
    for (let step = 0; step < 1500; step++) trail.leave(trail.enter(step, 0), 1);
    assert.deepEqual([trail.length, trail.forgotten], [1000, 500]);
  });
});
