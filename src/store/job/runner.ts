import { messageOf, ServiceError, unavailable } from '../../shared/errors.js';
import { log as serverLog } from '../../shared/log.js';
import { pause, type Timer } from '../../shared/time.js';
import type { Collection } from '../collection.js';
import type { NewJobHost } from '../decide/decider-options.js';
import type { AnyOperation, Command } from '../decision.js';
import type { Committed } from '../feed/landed-commits.js';
import { nextAttempt } from './attempt-operations.js';
import { type Attempt, inAttempt } from './attempt-span.js';
import { Attempts, UNAVAILABLE_PAUSE_MS } from './attempts.js';
import { type Job, jobs, type NewJob } from './job.js';
import { JobStarter, type JobWorld, runUntaken } from './job-starter.js';
import type { AnyJobType, JobOutcome } from './job-type.js';
import { failJobOf, jobClass } from './operations.js';
import { Slots } from './slots.js';
import { begun, jobOf } from './transition.js';

/** So often a sleeping runner looks at the domain clock, which jumps forward when the machine has slept. */
const LOOK_MS = 1_000;
/** How many timers are read at a time for the next one that is not at rest. */
const READ_TIMERS = 256;
/** How long a failure waits that could not be stored, in ms: at first, and at most. */
const FAILURE_PAUSE_MS = { first: 1_000, most: 300_000 };
/** How much is kept of what a failure says, and of its stack, in characters: a job and its incident are documents. */
const FAILURE_SIZE = { message: 20_000, stack: 40_000 };

interface JobRunnerOptions extends JobWorld {
  /** Whether timers, retries and asyncBefore/After run by themselves; not on a virtual clock. */
  readonly automatic: boolean;
  readonly slots: number;
}

/** Runs the jobs of one partition on its decider's server. */
export class JobRunner implements NewJobHost {
  readonly #options: JobRunnerOptions;
  readonly #slots: Slots;
  readonly #starter: JobStarter;
  readonly #attempts: Attempts<Job, void>;
  readonly #failJob: ReturnType<typeof failJobOf>;
  #taking = false;
  #again = false;
  /** Nothing is taken before what a dead server was running is taken back, or it would look dead again. */
  #hasBegun = false;
  #timer: Timer | undefined;
  #wakeAt = Number.POSITIVE_INFINITY;
  #quiet: (() => void)[] = [];

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    this.#slots = new Slots(options.slots);
    this.#failJob = failJobOf(options);
    this.#attempts = new Attempts<Job, void>({
      of: jobClass(options),
      slots: this.#slots,
      time: options.time,
      send: async <A>(operation: AnyOperation, input: unknown) => (await options.send(operation, input, null)) as A,
      perform: (job) => void this.#perform(job),
      over: (id, job, told) => this.#over(id, job, told),
    });
    this.#starter = new JobStarter({ ...options, slots: this.#slots, attempts: this.#attempts });
  }

  /** Operations of a partition on its jobs. */
  get operations(): readonly AnyOperation[] {
    return [...Object.values(this.#attempts.operations), this.#failJob, runUntaken];
  }

  /** Takes back what a server that died was running, then begins. */
  async begin(): Promise<void> {
    await this.#attempts.takeBack();
    if (this.#starter.recall()) this.#starter.suspect();
    this.#hasBegun = true;
    this.wake();
  }

  /** The history has become another one: what runs by it, and not here, is taken back as soon as commands are taken. */
  renew(): void {
    this.#attempts.renew(() => {
      this.#starter.recall();
      this.wake();
    });
  }

  get jobs(): Collection<Job> {
    return this.#options.subject.jobs;
  }

  make(job: NewJob, command: Command, now: number): Job {
    const waiting = jobOf(job, command, now, this.#options.subject);
    const isDue = waiting.failure === null && waiting.dueAt <= now;
    const goesOn = this.#hasBegun && !this.#attempts.isDraining && !this.#options.atRest.has(job.type);
    const mayRun = isDue && goesOn && (waiting.immediate || this.#options.automatic);
    if (!mayRun || !this.#slots.reserve(nextAttempt(waiting), command.cause.jobId)) {
      if (mayRun) this.#starter.leave();
      return waiting;
    }
    return begun(waiting);
  }

  lost(job: Job): void {
    // A decision is being made, or has been: what waits for the slot is looked for behind it.
    const freed = this.#slots.free(job.id, job.actor.context.attempt);
    if (freed && this.#starter.isLeft) this.#options.time.soon(() => this.wake());
  }

  /** Sees every commit that writes jobs: begins what was taken, frees what is through, wakes for what waits. */
  committed(committed: Committed): void {
    this.#attempts.committed(committed);
  }

  /** Looks for all jobs that may begin. */
  wake(): void {
    this.#starter.renew();
    this.#look();
  }

  /** Begins what has come, what has become due, and what could not begin while its slot or its exclusive name was held. */
  #look(): void {
    if (this.#attempts.isDraining || !this.#hasBegun) return;
    if (this.#taking) {
      this.#again = true;
      return;
    }
    this.#taking = true;
    // All jobs that end with the same group free their slots first.
    const taken = Promise.resolve().then(() => this.#starter.start(this.#options.automatic));
    taken.then(
      () => this.#took(),
      (error: unknown) => {
        if (!(error instanceof ServiceError)) serverLog.error({ err: error }, 'jobs could not be taken');
        this.#took(UNAVAILABLE_PAUSE_MS);
      },
    );
  }

  /** Virtual time: begins what is due now, timers too; gives how many. @throws UNAVAILABLE (nothing begins any more) */
  async takeDue(): Promise<number> {
    if (this.#attempts.isDraining) throw unavailable('no job begins any more: the server drains');
    return this.#starter.start(true);
  }

  /** When the next timer is due that would begin, ms; Infinity: none waits. */
  nextDue(): number {
    for (let from: readonly (string | number)[] = [0]; ; ) {
      const timed = this.#timed(from);
      const next = timed.find(({ type }) => !this.#options.atRest.has(type));
      const last = timed.at(-1);
      if (next !== undefined || last === undefined) return next?.dueAt ?? Number.POSITIVE_INFINITY;
      from = [last.dueAt, `${last.id} `];
    }
  }

  /** How many jobs are running here. */
  get running(): number {
    return this.#slots.used;
  }

  /** Resolves when no job runs here, and nothing that goes on by itself waits. */
  async quiet(): Promise<void> {
    while (this.#slots.used > 0 || this.#taking) await new Promise<void>((resolve) => this.#quiet.push(resolve));
  }

  /** Takes nothing more; waits for what runs, then gives the rest back with their attempt. */
  async drain(waitMs: number): Promise<void> {
    this.#starter.stop();
    this.#timer?.cancel();
    await this.#attempts.drain(() => this.quiet(), waitMs);
    await this.#starter.close();
  }

  /** After a failure it is tried again behind the pause: whatever is due would be tried at once, again and again, for as long as the log is away. */
  #took(pauseMs = 0): void {
    this.#taking = false;
    if (pauseMs > 0) this.#options.time.after(pauseMs, () => this.wake());
    else if (this.#again) this.#options.time.soon(() => this.#look());
    if (pauseMs === 0) this.#sleep();
    this.#again = false;
    this.#settle();
  }

  #sleep(): void {
    if (!this.#options.automatic || this.#attempts.isDraining) return;
    this.#timer?.cancel();
    // What was due at the last look and has not begun waits for a slot or for its exclusive name: #through wakes for it.
    const from = this.#starter.lookedAt + 1;
    const timed = this.#timed([from]);
    // With many at rest before it, it is looked for again behind them.
    const isFull = timed.length === READ_TIMERS;
    const next = timed.find(({ type }) => !this.#options.atRest.has(type)) ?? (isFull ? timed.at(-1) : undefined);
    this.#wakeAt = next?.dueAt ?? Number.POSITIVE_INFINITY;
    if (next !== undefined) this.#sleepOn();
  }

  /** The next timers in the order in which they are due: one, or some where it may be at rest. */
  #timed(from: readonly (string | number)[]): readonly Job[] {
    const limit = this.#options.atRest.size === 0 ? 1 : READ_TIMERS;
    return this.#options.state().range(jobs, 'queue', ['timed', ...from], limit, { skipDamaged: true });
  }

  #sleepOn(): void {
    const wait = Math.max(this.#wakeAt - this.#options.clock.now(), 1);
    const look = () => (this.#options.clock.now() < this.#wakeAt ? this.#sleepOn() : this.#look());
    this.#timer = this.#options.time.after(Math.min(wait, LOOK_MS), look);
  }

  #over(
    id: string,
    job: Job | null,
    { isLast, isFreed }: { readonly isLast: boolean; readonly isFreed: boolean },
  ): void {
    if (isLast) this.#starter.ended(id);
    const isAtRest = job !== null && this.#options.atRest.has(job.type);
    if (job?.actor.value === 'waiting' && !job.suspended && !isAtRest) this.#waits(job);
    else if (isFreed && this.#starter.isLeft) this.#look();
    if (isFreed) this.#settle();
  }

  #waits(job: Job): void {
    this.#starter.add(job);
    if (job.dueAt <= this.#options.clock.now()) this.#look();
    else if (job.dueAt < this.#wakeAt) this.#sleep();
  }

  #perform(job: Job): Promise<void> {
    const type = this.#options.types.get(job.type);
    const destination = type?.destination?.(job) ?? job.type;
    const { clock, time, subject } = this.#options;
    return inAttempt(job, { subject, destination, now: clock.now(), time }, (attempt) => this.#attempt(attempt, type));
  }

  async #attempt({ job, failed }: Attempt, type: AnyJobType | undefined): Promise<void> {
    try {
      if (type === undefined) throw new Error(`nothing runs jobs of type '${job.type}'`);
      const { operation, input } = await this.#run(type, job);
      await this.#attempts.untilAnswered(() => this.#options.send(operation, input, job));
    } catch (thrown) {
      failed(thrown);
      await this.#failed(job, thrown);
    }
  }

  /** The work of the attempt: where it only waits, without its slot. */
  async #run(type: AnyJobType, job: Job): Promise<JobOutcome<unknown>> {
    const running = type.run(job, this.#options.state());
    if (type.waits?.(job) !== true || !this.#slots.lend(job.id)) return running;
    this.#lent();
    try {
      return await running;
    } finally {
      this.#slots.regain(job.id);
    }
  }

  async #failed(job: Job, thrown: unknown): Promise<void> {
    const code = thrown instanceof ServiceError ? thrown.code : null;
    const stack = thrown instanceof Error ? (thrown.stack?.slice(0, FAILURE_SIZE.stack) ?? null) : null;
    const failure = { message: messageOf(thrown).slice(0, FAILURE_SIZE.message), code, stack };
    const input = { jobId: job.id, attempt: job.actor.context.attempt, failure };
    if (!(await this.#storeFailure(job, input))) void this.#storeLater(job, input);
  }

  /** Whether there is nothing left to tell. */
  async #storeFailure(job: Job, input: object): Promise<boolean> {
    try {
      await this.#attempts.untilAnswered(() => this.#options.send(this.#failJob, input, job));
      return true;
    } catch (again) {
      // Another attempt, or nobody, owns the job by now: its outcome is not ours to tell.
      const isOver = again instanceof ServiceError && again.code === 'CONFLICT';
      if (isOver) serverLog.debug({ jobId: job.id, err: again }, 'a job was not ours any more');
      else serverLog.error({ jobId: job.id, err: again }, 'the failure of a job could not be stored');
      if (!isOver && !this.#attempts.isDraining) return false;
      // What is held here may be that other attempt's.
      if (this.#attempts.has(job)) this.#attempts.over(job.id, job);
      return true;
    }
  }

  /** Others have its slot and its name while it waits: what they do may be what it waits for. */
  async #storeLater(job: Job, input: object): Promise<void> {
    this.#slots.setAside(job.id);
    this.#starter.ended(job.id);
    this.#lent();
    for (let ms = FAILURE_PAUSE_MS.first; ; ms = Math.min(2 * ms, FAILURE_PAUSE_MS.most)) {
      await pause(this.#options.time, ms);
      if (this.#attempts.isDraining || !this.#attempts.has(job)) return;
      if (await this.#storeFailure(job, input)) return;
    }
  }

  #lent(): void {
    if (this.#starter.isLeft) this.#options.time.soon(() => this.wake());
    this.#settle();
  }

  #settle(): void {
    if (this.#slots.used > 0 || this.#taking) return;
    for (const resolve of this.#quiet.splice(0)) resolve();
  }
}
