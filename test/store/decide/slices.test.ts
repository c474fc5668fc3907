import assert from 'node:assert/strict';
import { SLICE_MS, Slices } from '../../../src/store/decide/decision-time.js';

/** Time that passes when a step says so; the event loop has its turn when it is told to. */
class HandTime {
  now = 0;
  readonly waiting: (() => void)[] = [];
  monotonic = () => this.now;
  soon = (run: () => void) => void this.waiting.push(run);
  turn(): void {
    for (const run of this.waiting.splice(0)) run();
  }
}

describe('what goes in steps', () => {
  let time: HandTime;
  let told: string[];
  let slices: Slices<string>;
  beforeEach(() => {
    time = new HandTime();
    told = [];
    slices = new Slices(
      { took: (of, begun) => void told.push(`${of} ${begun}`), ended: () => void told.push('ended') },
      time,
    );
  });
  const taken = { steps: 0 };
  function* steps(count: number, ms: number): Generator<void, void, void> {
    for (taken.steps = 0; taken.steps < count; ) {
      taken.steps++;
      time.now += ms;
      yield;
    }
  }

  it('has the main thread until its time is up, then others, and goes on', () => {
    slices.begin('a', steps(12, 1));
    assert.deepEqual([taken.steps, slices.isBusy, told], [SLICE_MS, true, []]);
    time.now = 100;
    time.turn();
    assert.deepEqual([taken.steps, slices.isBusy, told], [2 * SLICE_MS, true, ['a 100']]);
    time.turn();
    assert.deepEqual([taken.steps, slices.isBusy, told], [12, false, ['a 100', 'a 105', 'ended']]);
  });

  it('is told of nobody when it is through at once', () => {
    slices.begin('a', steps(SLICE_MS - 1, 1));
    time.turn();
    assert.deepEqual([taken.steps, slices.isBusy, told], [SLICE_MS - 1, false, []]);
  });

  it('takes at least one step at a time, however long each takes', () => {
    slices.begin('a', steps(2, 1_000));
    assert.equal(taken.steps, 1);
    time.turn();
    assert.equal(taken.steps, 2);
  });

  it('takes no more steps when it is cancelled, also when another has begun', () => {
    assert.equal(slices.cancel(), undefined);
    slices.begin('a', steps(20, 1));
    assert.equal(slices.cancel(), 'a');
    assert.equal(slices.isBusy, false);
    slices.begin('b', steps(20, 1));
    time.turn();
    assert.deepEqual([taken.steps, told], [2 * SLICE_MS, ['b 10']]);
  });
});
