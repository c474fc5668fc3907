import type { Clock } from '../../shared/clock.js';
import { type Time, turn } from '../../shared/time.js';
import { collection } from '../collection.js';
import { isDamaged } from '../damage.js';
import { type AnyOperation, operation, put, remove } from '../decision.js';
import type { State } from '../state.js';
import { nextAttempt } from './attempt-operations.js';
import type { Attempts } from './attempts.js';
import { DueJobs, type Offered } from './due-jobs.js';
import { type Job, jobs } from './job.js';
import { type JobKinds, mayBegin } from './operations.js';
import type { Slots } from './slots.js';
import { begun } from './transition.js';

/** How many jobs one commit takes. */
const TAKE_MAX = 50;
/** How many that are not taken run at once: two groups of the log keep it busy, and other commands wait behind no more than those. */
const UNTAKEN_MAX = 64;
/** For how long jobs are begun before others have the main thread, in ms. */
const SLICE_MS = 5;

/** There while jobs are run that are not taken first: whoever finds it at the start knows that the server before died, maybe of one of them. */
interface UntakenRuns {
  readonly id: string;
  /** ms */
  readonly since: number;
}

export const untakenRuns = collection<UntakenRuns>({ name: 'untakenRuns' });

const ID = 'runs';

/** Says that jobs are run without being taken from now on, or that none is any more. */
export const runUntaken = operation('runUntaken', (state: State, { begins }: { readonly begins: boolean }) => ({
  write: [begins ? put(untakenRuns, { id: ID, since: state.now }) : remove(untakenRuns, ID)],
  answer: null,
}));

/** World in which jobs are run. */
export interface JobWorld extends JobKinds {
  readonly clock: Clock;
  readonly time: Time;
  /** Types whose jobs wait, however long they are due. */
  readonly atRest: ReadonlySet<string>;
  /** Sends a command of the job, on behalf of whoever started the chain; without a job as the system. */
  readonly send: (operation: AnyOperation, input: unknown, job: Job | null) => Promise<unknown>;
  readonly state: () => State;
}

interface JobStarterOptions extends JobWorld {
  readonly slots: Slots;
  readonly attempts: Pick<Attempts<Job, unknown>, 'take' | 'run'>;
}

/** Findings of one look at the queues. */
interface Found {
  /** When others are to have the main thread, monotonic ms. */
  readonly until: number;
  begun: number;
  /** Jobs that must be taken; they have their slots. */
  readonly ids: string[];
  /** Why it ended early: others are to have the main thread, or it is not stored yet that jobs are run without being taken. */
  end: 'late' | 'unsaid' | null;
}

/**
 * Begins the jobs that are due. One whose work reaches out is taken first: the attempt is stored before it runs. One whose command does all is run
 * as it is; what was due when a server died is not, so that a job that ends servers uses up its attempts.
 */
export class JobStarter {
  readonly #options: JobStarterOptions;
  readonly #immediate: DueJobs;
  readonly #timed: DueJobs;
  /** The jobs that run without having been taken. */
  readonly #untaken = new Set<string>();
  /** Whether it is stored that jobs are run without being taken. */
  #saysUntaken = false;
  /** A job that was due by then may have ended a server, ms. */
  #suspectUntil = Number.NEGATIVE_INFINITY;
  #isLeft = true;
  #isStopped = false;

  constructor(options: JobStarterOptions) {
    this.#options = options;
    this.#immediate = new DueJobs('immediate', options.state);
    this.#timed = new DueJobs('timed', options.state);
  }

  /** Whether something due may wait for a slot or for its exclusive name. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  /** When it was looked last, ms: what was due by then has begun, or waits for a slot or for its exclusive name. */
  get lookedAt(): number {
    return this.#timed.at;
  }

  /** There is a job that waits for a slot or for its exclusive name. */
  leave(): void {
    this.#isLeft = true;
  }

  /** Whether it is stored that jobs are run without being taken: at the start it tells that the server before has died. */
  recall(): boolean {
    this.#saysUntaken = this.#options.state().get(untakenRuns, ID) !== undefined;
    return this.#saysUntaken;
  }

  /** One of those that are due now may have ended the server before. */
  suspect(): void {
    this.#suspectUntil = this.#options.clock.now();
  }

  /** Begins nothing more. */
  stop(): void {
    this.#isStopped = true;
  }

  /** The end that a server is to come to. */
  async close(): Promise<void> {
    if (this.#saysUntaken) await this.#options.send(runUntaken, { begins: false }, null);
    this.#saysUntaken = false;
  }

  /** There may be jobs that nobody told of. */
  renew(): void {
    this.#immediate.renew();
    this.#timed.renew();
  }

  /** The job waits. */
  add(job: Job): void {
    (job.immediate ? this.#immediate : this.#timed).add(job);
  }

  /** An attempt has ended. */
  ended(id: string): void {
    this.#untaken.delete(id);
  }

  /** Begins what may, `timed`: timers and retries too; gives how many jobs that are. */
  async start(timed: boolean): Promise<number> {
    for (let count = 0; ; ) {
      const found = this.#look(timed);
      count += found.begun;
      if (found.ids.length > 0) count += await this.#options.attempts.take(found.ids);
      if (found.end === 'unsaid') await this.#sayUntaken();
      else if (found.end === 'late') await turn(this.#options.time);
      else if (found.ids.length < TAKE_MAX) return count;
    }
  }

  /** Begins what need not be taken, and finds what must be. */
  #look(timed: boolean): Found {
    const now = this.#options.clock.now();
    const found: Found = { until: this.#options.time.monotonic() + SLICE_MS, begun: 0, ids: [], end: null };
    const offered = (job: Job) => this.#offered(job, found);
    this.#isLeft = this.#immediate.offer(now, offered);
    if (timed && found.end === null) this.#isLeft = this.#timed.offer(now, offered) || this.#isLeft;
    return found;
  }

  #offered(job: Job, found: Found): Offered {
    const isLate = this.#options.time.monotonic() > found.until;
    // Passed over: it is looked for again when its domain runs, which is behind another start of the partition.
    if (this.#options.atRest.has(job.type) && !isLate) return 'gone';
    const isUntaken = this.#isUntaken(job);
    if (!this.#hasRoom(isUntaken, found)) return 'stop';
    if (isUntaken && !this.#saysUntaken) found.end = 'unsaid';
    else if (isLate) found.end = 'late';
    if (found.end !== null) return 'stop';
    if (!this.#options.slots.reserve(nextAttempt(job))) return 'stay';
    this.#begin(job.id, isUntaken, found);
    return 'gone';
  }

  #isUntaken({ type, dueAt }: Job): boolean {
    return this.#options.types.get(type)?.untaken === true && dueAt > this.#suspectUntil;
  }

  #hasRoom(isUntaken: boolean, { ids }: Found): boolean {
    if (this.#isStopped || this.#options.slots.left <= 0) return false;
    return isUntaken ? this.#untaken.size < UNTAKEN_MAX : ids.length < TAKE_MAX;
  }

  /** The job may have changed since it was read. */
  #begin(id: string, isUntaken: boolean, found: Found): void {
    const state = this.#options.state();
    const job = presentJob(state, id);
    if (job === undefined || !mayBegin(job, state.now)) {
      this.#options.slots.free(id);
    } else if (isUntaken) {
      found.begun++;
      this.#untaken.add(id);
      this.#options.attempts.run(begun(job));
    } else {
      found.ids.push(id);
    }
  }

  async #sayUntaken(): Promise<void> {
    await this.#options.send(runUntaken, { begins: true }, null);
    this.#saysUntaken = true;
  }
}

/** The job; undefined: it is gone, or cannot be read any more, which is told elsewhere. */
function presentJob(state: State, id: string): Job | undefined {
  try {
    return state.get(jobs, id);
  } catch (thrown) {
    if (isDamaged(thrown)) return undefined;
    throw thrown;
  }
}
