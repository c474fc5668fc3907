import { setTimeout as sleep } from 'node:timers/promises';
import { addDuration, parseDuration } from '../expression/index.js';
import { type Caller, isAdministrator } from '../shared/caller.js';
import { type Clock, VirtualClock } from '../shared/clock.js';
import { badRequest, limitExceeded, ServiceError } from '../shared/errors.js';
import { jobs, type Partition } from '../store/index.js';

/** How many jobs one advance may run, and how long it may take, in ms. */
export const ADVANCE_JOBS_MAX = 100_000;
export const ADVANCE_MS_MAX = 60_000;

/** Sets a virtual domain clock forward, one due instant after the other. */
export class VirtualTime {
  readonly #clock: Clock;
  readonly #partitions: () => readonly Partition[];
  #last: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock, partitions: () => readonly Partition[]) {
    this.#clock = clock;
    this.#partitions = partitions;
  }

  /**
   * Sets the clock to each due instant in turn, up to the one wanted, and runs what is due; resolves to the new time when nothing is in flight.
   * @throws FORBIDDEN, BAD_REQUEST, CONFLICT (the clock is the machine's), LIMIT_EXCEEDED (the clock stands at the last instant done)
   */
  advance({ by, to }: { by: string | null; to: number | null }, caller: Caller): Promise<number> {
    const clock = this.#clock;
    if (!isAdministrator(caller)) {
      throw new ServiceError('FORBIDDEN', `only an administrator may set the clock, and '${caller.userId}' is none`);
    }
    if (!(clock instanceof VirtualClock)) {
      throw new ServiceError(
        'CONFLICT',
        'the clock is the machine’s: start the server with MILLRACE_CLOCK=virtual to set it',
      );
    }
    if ((by === null) === (to === null)) throw badRequest('expected either `by` or `to`');
    // One advance after the other: each begins where the last one came to rest.
    const advanced = this.#last.then(() => this.#advance(clock, targetOf(clock, by, to)));
    this.#last = advanced.catch(() => {});
    return advanced;
  }

  async #advance(clock: VirtualClock, target: number): Promise<number> {
    if (target < clock.now()) throw badRequest('expected a time that is not before the clock’s, which never goes back');
    const deadline = performance.now() + ADVANCE_MS_MAX;
    let ran = 0;
    for (;;) {
      await this.#quiet(deadline, ran);
      const due = this.#nextDue();
      if (due > target) break;
      clock.set(due);
      for (const partition of this.#partitions()) ran += await partition.jobs.takeDue();
      if (ran > ADVANCE_JOBS_MAX) throw tooMuch(`more than ${ADVANCE_JOBS_MAX} jobs were due`);
    }
    clock.set(target);
    return target;
  }

  async #quiet(deadline: number, ran: number): Promise<void> {
    const left = deadline - performance.now();
    const patience = new AbortController();
    const late = sleep(Math.max(0, left), true, { signal: patience.signal }).catch(() => false);
    const quiet = Promise.all(this.#partitions().map((partition) => partition.jobs.quiet())).then(() => false);
    const isLate = left <= 0 || (await Promise.race([quiet, late]));
    patience.abort();
    if (isLate) throw tooMuch(`after ${ADVANCE_MS_MAX / 1000} s and ${ran} jobs something is still in flight`);
  }

  /** The earliest instant at which a job waits for its time. */
  #nextDue(): number {
    const firsts = this.#partitions().flatMap((partition) =>
      partition.peek().range(jobs, 'queue', ['timed', 0], 1, { skipDamaged: true }),
    );
    return Math.min(Number.POSITIVE_INFINITY, ...firsts.map((job) => Math.max(job.dueAt, this.#clock.now())));
  }
}

function targetOf(clock: Clock, by: string | null, to: number | null): number {
  return by === null ? (to ?? 0) : addDuration(clock.now(), parseDuration(by));
}

const tooMuch = (found: string) =>
  limitExceeded(`expected the clock to come to rest, but ${found}; it stands at the last instant done`);
