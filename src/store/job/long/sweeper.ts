import type { Clock } from '../../../shared/clock.js';
import { messageOf } from '../../../shared/errors.js';
import { log as serverLog } from '../../../shared/log.js';
import type { Time, Timer } from '../../../shared/time.js';
import type { Partition } from '../../partition.js';
import { sweepLongJobs, UNSTARTED_KEPT_MS } from './sweep.js';

/** How often old jobs are looked for, in ms. */
const LOOK_MS = 3_600_000;

export interface SweeperOptions {
  readonly partitions: () => Iterable<Partition>;
  /** The domain clock. */
  readonly clock: Clock;
  readonly time: Time;
  /** How long a job that has ended is kept, in ms. */
  readonly keptMs: number;
}

/** Removes, hour by hour, jobs that ended long ago and jobs that were never started. */
export class LongJobSweeper {
  readonly #options: SweeperOptions;
  readonly #timer: Timer;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: SweeperOptions) {
    this.#options = options;
    this.#timer = options.time.every(LOOK_MS, () => void this.look());
  }

  /** Looks through a partition, or through all, once. Never rejects. */
  look(only?: Partition): Promise<void> {
    this.#running = this.#running
      .then(() => this.#look(only === undefined ? this.#options.partitions() : [only]))
      .catch((thrown: unknown) => {
        serverLog.warn({ reason: messageOf(thrown) }, 'old long jobs could not be removed; it is tried again later');
      });
    return this.#running;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer.cancel();
    await this.#running;
  }

  async #look(partitions: Iterable<Partition>): Promise<void> {
    const { clock, keptMs } = this.#options;
    for (const partition of partitions) {
      let isMore = true;
      while (isMore && !this.#isClosed) {
        const now = clock.now();
        const input = { unstartedBefore: now - UNSTARTED_KEPT_MS, endedBefore: now - keptMs };
        isMore = await partition.sendAsSystem(sweepLongJobs, input);
      }
    }
  }
}
