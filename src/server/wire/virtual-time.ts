import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { jobs } from '../../engine/index.js';
import { addDuration, parseDuration } from '../../expression/index.js';
import type { Caller } from '../../shared/caller.js';
import { type Clock, VirtualClock } from '../../shared/clock.js';
import { badRequest, limitExceeded, ServiceError } from '../../shared/errors.js';
import { mayAdminister } from '../../shared/rights/roles.js';
import type { Partition } from '../../store/index.js';

/** How far one advance goes. */
interface AdvanceLimits {
  /** How many jobs it may run. */
  readonly jobs: number;
  /** How long it may take, ms. */
  readonly ms: number;
}

const LIMITS: AdvanceLimits = { jobs: 100_000, ms: 60_000 };
/** How many jobs a refusal names. */
const NAMED_MAX = 5;

/** Sets a virtual domain clock forward, one due instant after the other. */
export class VirtualTime {
  readonly #clock: Clock;
  readonly #partitions: () => readonly Partition[];
  readonly #limits: AdvanceLimits;
  #last: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock, partitions: () => readonly Partition[], limits: AdvanceLimits = LIMITS) {
    this.#clock = clock;
    this.#partitions = partitions;
    this.#limits = limits;
  }

  /**
   * Sets the clock to each due instant in turn, up to the one wanted, and runs what is due; resolves to the new time when nothing is in flight.
   * @throws FORBIDDEN, BAD_REQUEST, CONFLICT (the clock is the machine's), LIMIT_EXCEEDED (the clock stands at the last instant
   * done; what is in flight is named, and another advance goes on from there)
   */
  advance({ by, to }: { by: string | null; to: number | null }, caller: Caller): Promise<number> {
    const clock = this.#clock;
    if (!mayAdminister(caller)) {
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
    const deadline = performance.now() + this.#limits.ms;
    let ran = 0;
    for (;;) {
      if (!(await this.#isQuiet(deadline))) throw this.#tooMuch(`after ${this.#limits.ms / 1000} s`, ran);
      const due = this.#nextDue();
      if (due > target) break;
      if (ran >= this.#limits.jobs) throw this.#tooMuch(`after ${this.#limits.jobs} jobs`, ran);
      clock.set(due);
      for (const partition of this.#partitions()) ran += await partition.decider.jobs.takeDue();
      // Where nothing began, others come first.
      await turn();
    }
    clock.set(target);
    return target;
  }

  /** Whether what is in flight comes to its end in time. */
  async #isQuiet(deadline: number): Promise<boolean> {
    const left = deadline - performance.now();
    const patience = new AbortController();
    const late = sleep(Math.max(0, left), false, { signal: patience.signal }).catch(() => true);
    const quiet = Promise.all(this.#partitions().map((partition) => partition.decider.jobs.quiet())).then(() => true);
    const isQuiet = left > 0 && (await Promise.race([quiet, late]));
    patience.abort();
    return isQuiet;
  }

  #tooMuch(when: string, jobsRun: number): ServiceError {
    const now = this.#clock.now();
    const inFlight = this.#partitions()
      .flatMap((partition) => inFlightIn(partition, now))
      .slice(0, NAMED_MAX);
    const named = inFlight.map(nameOf).join(', ');
    const clock = new Date(now).toISOString();
    return limitExceeded(
      `expected the clock to come to rest, but ${when}, with ${jobsRun} jobs run, there is more: ${named}; it stands at ${clock}, and goes on from there when it is advanced again`,
      { reason: 'clock_not_at_rest', details: { clock, jobsRun, inFlight } },
    );
  }

  /** The earliest instant at which a job waits for its time. */
  #nextDue(): number {
    const dues = this.#partitions().map((partition) => partition.decider.jobs.nextDue());
    return Math.max(Math.min(Number.POSITIVE_INFINITY, ...dues), this.#clock.now());
  }
}

function targetOf(clock: Clock, by: string | null, to: number | null): number {
  return by === null ? (to ?? 0) : addDuration(clock.now(), parseDuration(by));
}

/** A job that runs, or may. */
interface InFlight {
  readonly jobId: string;
  readonly type: string;
  readonly processInstanceId: string | null;
  readonly activityId: string | null;
}

/** Some of the jobs that run or are due. */
function inFlightIn(partition: Partition, now: number): InFlight[] {
  const state = partition.decider.peek();
  const some = (index: 'running' | 'queue', from: readonly (string | number)[]) =>
    state.range(jobs, index, from, NAMED_MAX, { skipDamaged: true });
  const found = [...some('running', [1]), ...some('queue', ['immediate', 0]), ...some('queue', ['timed', 0])];
  const named = new Map(found.filter(({ dueAt }) => dueAt <= now).map((job) => [job.id, job]));
  return [...named.values()].map(({ id: jobId, type, instanceId: processInstanceId, activityId }) => ({
    jobId,
    type,
    processInstanceId,
    activityId,
  }));
}

function nameOf({ jobId, type, processInstanceId, activityId }: InFlight): string {
  const at = activityId === null ? '' : ` at '${activityId}'`;
  return `${type}${at}${processInstanceId === null ? ` (job ${jobId})` : ` of process instance ${processInstanceId}`}`;
}
