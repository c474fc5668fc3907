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
/** The routes of a workspace, as far as time goes. */
export interface RouteClock {
  readonly workspace: string;
  /** Sets their clock, and does what is due. Resolves when none of them computes or awaits I/O, with the next instant that something waits for; Infinity: nothing does. */
  advance(now: number): Promise<number>;
}

/** How many jobs a refusal names. */
const NAMED_MAX = 5;

/** Sets a virtual domain clock forward, one due instant after the other: of jobs and of routes, and at the same instant jobs come first. */
export class VirtualTime {
  readonly #clock: Clock;
  readonly #partitions: () => readonly Partition[];
  readonly #routes: () => readonly RouteClock[];
  readonly #limits: AdvanceLimits;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    clock: Clock,
    partitions: () => readonly Partition[],
    routes: () => readonly RouteClock[],
    limits: AdvanceLimits = LIMITS,
  ) {
    this.#clock = clock;
    this.#partitions = partitions;
    this.#routes = routes;
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
    for (let rounds = 0; ; rounds++) {
      const ofRoutes = await this.#quiet(deadline);
      if (ofRoutes === undefined) throw this.#tooMuch(`after ${this.#limits.ms / 1000} s`, ran);
      const due = Math.min(this.#nextDue(), ofRoutes);
      if (due > target) break;
      if (ran >= this.#limits.jobs) throw this.#tooMuch(`after ${this.#limits.jobs} jobs`, ran);
      if (rounds >= this.#limits.jobs) throw this.#tooMuch(`at ${this.#limits.jobs} instants`, ran);
      clock.set(Math.max(due, clock.now()));
      for (const partition of this.#partitions()) ran += await partition.decider.jobs.takeDue();
      // Where nothing began, others come first.
      await turn();
    }
    clock.set(target);
    await this.#quiet(deadline);
    return target;
  }

  /** Resolves when what is in flight has come to its end, with the next instant that routes wait for; undefined: it did not in time. */
  async #quiet(deadline: number): Promise<number | undefined> {
    const left = deadline - performance.now();
    if (left <= 0) return undefined;
    const patience = new AbortController();
    const late = sleep(left, undefined, { signal: patience.signal }).catch(() => undefined);
    const quiet = await Promise.race([this.#rest(patience.signal), late]);
    patience.abort();
    return quiet;
  }

  /** Jobs and routes lead to each other: both rest when neither has written anything while the other one came to rest. */
  async #rest(given: AbortSignal): Promise<number | undefined> {
    while (!given.aborted) {
      await Promise.all(this.#partitions().map((partition) => partition.decider.jobs.quiet()));
      const before = this.#written();
      const now = this.#clock.now();
      const dues = await Promise.all(this.#routes().map((routes) => routes.advance(now)));
      // Jobs that wait for routes go on when these reply.
      const isStill = this.#partitions().every((partition) => partition.decider.jobs.running === 0);
      if (isStill && this.#written() === before) return Math.min(Number.POSITIVE_INFINITY, ...dues);
    }
    return undefined;
  }

  /** Another one after each commit. */
  #written(): string {
    return this.#partitions()
      .map(({ id, replica }) => `${id}:${replica.feed.newest()}`)
      .join();
  }

  #tooMuch(when: string, jobsRun: number): ServiceError {
    const now = this.#clock.now();
    const inFlight = this.#partitions()
      .flatMap((partition) => inFlightIn(partition, now))
      .slice(0, NAMED_MAX);
    const named = inFlight.length === 0 ? 'routes' : inFlight.map(nameOf).join(', ');
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
