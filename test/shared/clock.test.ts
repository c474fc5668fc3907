import assert from 'node:assert/strict';
import { SteadyClock } from '../../src/shared/clock.js';

const HOUR = 3_600_000;

describe('a steady clock', () => {
  let wall: number;
  let monotonic: number;
  let clock: SteadyClock;
  beforeEach(() => {
    wall = 1_000_000_000;
    monotonic = 77.25;
    clock = new SteadyClock({ wall: () => wall, monotonic: () => monotonic });
  });
  const pass = (ms: number) => {
    wall += ms;
    monotonic += ms;
  };

  it('is the machine’s as long as nobody sets that', () => {
    for (let i = 0; i < 10; i++) {
      assert.equal(clock.now(), wall);
      pass(i * 37);
    }
  });

  it('follows forward at once: a corrected clock, or a machine that slept', () => {
    wall += HOUR;
    assert.equal(clock.now(), wall);
  });

  it('never goes back: it goes at half speed until the machine’s clock has caught up', () => {
    const before = clock.now();
    wall -= HOUR;
    assert.equal(clock.now(), before);
    assert.equal(clock.aheadMs(), HOUR);
    for (let i = 1; i <= 120; i++) {
      pass(60_000);
      assert.equal(clock.now(), before + i * 30_000);
    }
    assert.equal(clock.aheadMs(), 0);
    pass(1);
    assert.equal(clock.now(), wall);
  });

  it('goes on by parts of a millisecond, however often it is asked', () => {
    const before = clock.now();
    wall -= HOUR;
    for (let i = 0; i < 4000; i++) {
      pass(0.25);
      clock.now();
    }
    assert.equal(clock.now(), before + 500);
  });

  it('goes on from a later instant when it is told of one, and from no earlier', () => {
    clock.set(wall + 5_000);
    assert.equal(clock.now(), wall + 5_000);
    clock.set(wall - 5_000);
    pass(2_000);
    assert.equal(clock.now(), wall + 4_000);
  });
});
