import assert from 'node:assert/strict';
import { HistoryQueue } from '../../../src/eip/history/history-queue.js';
import type { PackedRecords } from '../../../src/eip/history/packed-records.js';
import { unavailable } from '../../../src/shared/errors.js';
import type { Timers } from '../../../src/shared/time.js';

const batch = (...words: string[]): PackedRecords => ({ count: words.length, bytes: new Uint8Array(), words });

/** A clock whose timers run when it is set. */
class HandClock implements Timers {
  #now = 0;
  readonly #due: { readonly at: number; readonly run: () => void; isOff: boolean }[] = [];

  monotonic(): number {
    return this.#now;
  }

  soon(run: () => void): void {
    run();
  }

  after(ms: number, run: () => void) {
    const due = { at: this.#now + ms, run, isOff: false };
    this.#due.push(due);
    const timer = {
      cancel: () => {
        due.isOff = true;
      },
      hold: () => timer,
    };
    return timer;
  }

  async pass(ms: number): Promise<void> {
    this.#now += ms;
    for (const due of this.#due.splice(0)) {
      if (due.isOff) continue;
      if (due.at > this.#now) this.#due.push(due);
      else due.run();
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('exchanges on their way into their files', () => {
  let time: HandClock;
  let told: string[];
  let written: string[];
  /** What is refused. */
  let refused: (word: string) => boolean;
  let queue: HistoryQueue;
  beforeEach(() => {
    [time, told, written, refused] = [new HandClock(), [], [], () => false];
    queue = new HistoryQueue({
      time,
      tell: (message) => told.push(message),
      write: async (_, batches) => {
        const words = batches.flatMap((one) => one.words);
        if (words.some(refused)) throw unavailable('the disk is full');
        written.push(...words);
      },
    });
  });

  const add = (completed: readonly string[], failed: readonly string[] = []) =>
    queue.add('w', {
      completed: completed.length === 0 ? null : batch(...completed),
      failed: failed.length === 0 ? null : batch(...failed),
    });

  it('are tried again in their order, failed ones however long that takes, and it is told once', async () => {
    refused = () => true;
    const all = [add(['a'], ['f']), add([], ['g'])];
    await time.pass(0);
    for (let second = 0; second < 5; second++) await time.pass(1_000);
    void add(['late'], ['h']);
    assert.deepEqual([written, queue.skipped('w')], [[], { completed: 1, failed: 0 }]);
    assert.deepEqual(told, ["2 exchanges of 'w' wait to be kept: the disk is full"]);
    refused = () => false;
    await time.pass(1_000);
    await Promise.all(all);
    assert.deepEqual(written, ['f', 'a', 'g', 'h']);
    assert.equal(told.at(-1), 'exchanges are kept again');
  });

  it('are given up where they cannot be written, though others can', async () => {
    refused = (word) => word === 'odd';
    const odd = add(['odd']);
    await time.pass(0);
    for (let second = 0; second < 4; second++) {
      const other = add([], [`f${second}`]);
      await time.pass(1_000);
      await other;
    }
    await odd;
    assert.deepEqual(queue.skipped('w'), { completed: 1, failed: 0 });
    assert.deepEqual(written, ['f0', 'f1', 'f2', 'f3']);
  });

  it('are let go of with the workspace that they are of', async () => {
    refused = () => true;
    const gone = add(['a'], ['f']);
    await time.pass(0);
    queue.forget('w');
    await time.pass(1_000);
    await gone;
    assert.deepEqual(written, []);
  });

  it('are tried once more at the end, and what is lost then is told', async () => {
    refused = () => true;
    void add(['a'], ['f']);
    await time.pass(0);
    await queue.close();
    assert.match(told.at(-1) ?? '', /2 exchanges could not be kept/);
  });
});
