import assert from 'node:assert/strict';
import { systemTime } from '../../../../src/shared/time.js';
import type { LongJobChanges } from '../../../../src/store/index.js';
import { ProgressThrottle } from '../../../../src/store/job/long/throttle.js';

/** What was stored, and a hand on how long storing takes. */
class Stored {
  readonly all: LongJobChanges[] = [];
  readonly #ends: ((isStored: boolean) => void)[] = [];
  #waiting: (() => void) | undefined;

  readonly store = (changes: LongJobChanges): Promise<boolean> => {
    this.all.push(changes);
    this.#waiting?.();
    return new Promise((resolve) => this.#ends.push(resolve));
  };

  /** What is being stored is through. */
  async end(isStored = true): Promise<void> {
    this.#ends.shift()?.(isStored);
    await new Promise(setImmediate);
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }
}

const AN_HOUR = 3_600_000;

describe('the progress of a run', () => {
  it('is stored at once at first, then when a counter has grown by so many', async () => {
    const stored = new Stored();
    const throttle = new ProgressThrottle({ items: 10, ms: AN_HOUR, store: stored.store });
    throttle.tell({ itemsProcessed: 1 });
    await stored.end();
    for (let n = 2; n <= 25; n++) {
      throttle.tell({ itemsProcessed: n, currentPath: `/${n}` });
      await stored.end();
    }
    assert.deepEqual(
      stored.all.map(({ itemsProcessed }) => itemsProcessed),
      [1, 11, 21],
    );
    assert.deepEqual(await throttle.close(), { itemsProcessed: 25, currentPath: '/25' });
  });

  it('is stored after its time, however little has changed', async () => {
    const stored = new Stored();
    const throttle = new ProgressThrottle({ items: 1_000, ms: 5, store: stored.store });
    throttle.tell({ itemsProcessed: 1 });
    await stored.end();
    const next = stored.next();
    throttle.tell({ itemsProcessed: 2 });
    throttle.tell({ phase: 'closing' });
    await next;
    assert.deepEqual(stored.all, [{ itemsProcessed: 1 }, { itemsProcessed: 2, phase: 'closing' }]);
    await stored.end();
  });

  it('is stored at once when just its time has passed, and before that when what is left of it has', async () => {
    const stored = new Stored();
    let now = 0;
    const waits: number[] = [];
    const timer = { cancel: () => {}, hold: () => timer };
    const after = (ms: number) => {
      waits.push(ms);
      return timer;
    };
    const time = { ...systemTime, monotonic: () => now, after };
    const throttle = new ProgressThrottle({ items: 1_000, ms: 10, store: stored.store, time });
    throttle.tell({ itemsProcessed: 1 });
    await stored.end();
    now = 4;
    throttle.tell({ itemsProcessed: 2 });
    now = 10;
    throttle.tell({ itemsProcessed: 3 });
    await stored.end();
    assert.deepEqual(waits, [6]);
    assert.deepEqual(stored.all, [{ itemsProcessed: 1 }, { itemsProcessed: 3 }]);
  });

  it('is not stored while the last is under way; what comes then goes together', async () => {
    const stored = new Stored();
    const throttle = new ProgressThrottle({ items: 1, ms: 0, store: stored.store });
    for (let n = 1; n <= 5; n++) throttle.tell({ itemsProcessed: n });
    assert.deepEqual(stored.all, [{ itemsProcessed: 1 }]);
    await stored.end();
    assert.deepEqual(stored.all, [{ itemsProcessed: 1 }, { itemsProcessed: 5 }]);
    await stored.end();
  });

  it('that could not be stored is not lost, and does not hide what is newer', async () => {
    const stored = new Stored();
    const throttle = new ProgressThrottle({ items: 1, ms: AN_HOUR, store: stored.store });
    throttle.tell({ itemsProcessed: 1, phase: 'a', currentPath: '/1' });
    throttle.tell({ currentPath: '/2' });
    const closed = throttle.close();
    await stored.end(false);
    assert.deepEqual(await closed, { itemsProcessed: 1, phase: 'a', currentPath: '/2' });
  });

  it('is over when it is closed', async () => {
    const stored = new Stored();
    const throttle = new ProgressThrottle({ items: 1, ms: 0, store: stored.store });
    assert.deepEqual(await throttle.close(), {});
    throttle.tell({ itemsProcessed: 1 });
    assert.deepEqual(stored.all, []);
  });

  it('that could not be stored goes again behind a pause, in which others have their turn', async () => {
    let now = 0;
    const waits: { readonly ms: number; readonly ring: () => void }[] = [];
    const timer = { cancel: () => {}, hold: () => timer };
    const after = (ms: number, ring: () => void) => {
      waits.push({ ms, ring });
      return timer;
    };
    const time = { ...systemTime, monotonic: () => now, after };
    let isAway = true;
    let tries = 0;
    const store = () => {
      tries++;
      return Promise.resolve(!isAway);
    };
    const throttle = new ProgressThrottle({ items: 1, ms: 0, store, time });
    throttle.tell({ itemsProcessed: 1 });
    await new Promise(setImmediate);
    throttle.tell({ itemsProcessed: 5 });
    await new Promise(setImmediate);
    assert.equal(tries, 1);
    assert.deepEqual(
      waits.map(({ ms }) => ms),
      [200],
    );
    isAway = false;
    now = 200;
    waits[0]?.ring();
    await new Promise(setImmediate);
    assert.equal(tries, 2);
    assert.deepEqual(await throttle.close(), {});
  });
});
