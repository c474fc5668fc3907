import type { Clock } from '../../../shared/clock.js';
import { messageOf } from '../../../shared/errors.js';
import { log as serverLog } from '../../../shared/log.js';
import type { Time, Timer } from '../../../shared/time.js';
import { type FeedEvent, type Operation, operation, put, remove, type Write } from '../../decision.js';
import type { Partition } from '../../partition/partition.js';
import type { State } from '../../state.js';
import { changeOf, mayMove, moved } from './change.js';
import { type LongJob, longJobPieces, longJobs, pieceId } from './long-job.js';

/** How often old jobs are looked for, in ms. */
const LOOK_MS = 3_600_000;
/** How long a job that is never started is kept, in ms. */
const UNSTARTED_KEPT_MS = 86_400_000;
/** What one sweep looks at, and what it removes. */
const JOBS_MAX = 100;
const DOCUMENTS_MAX = 400;

interface SweepLongJobs {
  /** Jobs that were made earlier and never started; ms, domain clock. */
  readonly unstartedBefore: number;
  /** Jobs that ended earlier; ms, domain clock. */
  readonly endedBefore: number;
}

/** Removes old jobs with their items, as much as fits into a commit; answers whether there may be more. */
export const sweepLongJobs: Operation<SweepLongJobs, boolean> = operation('sweepLongJobs', (state, input) => {
  const write: Write[] = [];
  const events: FeedEvent[] = [];
  for (const job of oldJobs(state, input)) {
    if (write.length >= DOCUMENTS_MAX) break;
    const removed = removal(job, { max: DOCUMENTS_MAX - write.length, now: state.now });
    write.push(...removed.write);
    events.push(...removed.events);
  }
  return { write, events, answer: write.length > 0 };
});

const oldJobs = (state: State, { unstartedBefore, endedBefore }: SweepLongJobs): LongJob[] => [
  ...state
    .range(longJobs, 'unstarted', [0], JOBS_MAX, { skipDamaged: true })
    .filter((job) => job.created < unstartedBefore),
  ...state
    .range(longJobs, 'ended', [0], JOBS_MAX, { skipDamaged: true })
    .filter((job) => (job.ended ?? 0) < endedBefore),
];

/** The job's last pieces, and the job itself when they are all gone. Pieces are never read: they are large. */
function removal(job: LongJob, { max, now }: { max: number; now: number }): { write: Write[]; events: FeedEvent[] } {
  const gone = Math.min(job.pieces, max - 1);
  const pieces = job.pieces - gone;
  const write: Write[] = [];
  for (let n = pieces; n < job.pieces; n++) write.push(remove(longJobPieces, pieceId(job.id, n)));
  const { job: over, events } = ended(job, now);
  return { write: [...write, pieces === 0 ? remove(longJobs, job.id) : put(longJobs, { ...over, pieces })], events };
}

/** One that was never started is told of as aborted, and cannot be started with what is left of it; the next look finds it as long ended. */
function ended(job: LongJob, now: number): { job: LongJob; events: FeedEvent[] } {
  if (!mayMove(job, { type: 'abort' })) return { job, events: [] };
  return changeOf({ ...moved(job, { type: 'abort' }), ended: 0 }, now);
}

interface SweeperOptions {
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
