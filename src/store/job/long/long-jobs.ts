import type { Caller, Cause } from '../../../shared/caller.js';
import type { Clock } from '../../../shared/clock.js';
import { ServiceError } from '../../../shared/errors.js';
import { log as serverLog } from '../../../shared/log.js';
import type { Time } from '../../../shared/time.js';
import type { Committed } from '../../decide/commit.js';
import type { Partition } from '../../partition.js';
import { type LongJob, longJobs } from './long-job.js';
import type { LongJobType } from './long-job-type.js';
import { type LongJobOperations, longJobOperations } from './operations.js';
import { Run } from './run.js';
import { LongJobSweeper } from './sweeper.js';

/** How long a worker waits when a partition takes no commands, in ms. */
const UNAVAILABLE_PAUSE_MS = 200;

/** What can be set of long jobs. */
export interface LongJobSettings {
  /** The kinds of long jobs that there are. Default none. */
  readonly types: readonly LongJobType[];
  /** How many run at once on this server, whatever their workspaces. Default 4. */
  readonly workers: number;
  /** How long a job that has ended is kept, in ms. Default 30 days. */
  readonly keptMs: number;
}

export const LONG_JOB_DEFAULTS: LongJobSettings = { types: [], workers: 4, keptMs: 30 * 86_400_000 };

export interface LongJobsOptions extends LongJobSettings {
  /** The domain clock. */
  readonly clock: Clock;
  readonly time: Time;
  /** Groups and roles of a job's owner, as they are now. */
  readonly callerOf: (userId: string, workspace: string, cause: Cause) => Caller;
}

interface Host {
  readonly partition: Partition;
  /** Nothing is taken before what a dead server was running is taken up. */
  hasBegun: boolean;
}

/** Runs the long jobs of all partitions of this server: the one with the highest priority first, then the one that was started first. */
export class LongJobs {
  readonly operations: LongJobOperations;
  readonly #options: LongJobsOptions;
  readonly #types: ReadonlyMap<string, LongJobType>;
  readonly #hosts = new Map<string, Host>();
  readonly #runs = new Map<string, Run>();
  readonly #sweeper: LongJobSweeper;
  #taking: Promise<void> | undefined;
  #again = false;
  #drained: Promise<void> | undefined;

  constructor(options: LongJobsOptions) {
    this.#options = options;
    this.#types = new Map(options.types.map((type) => [type.type, type]));
    if (this.#types.size < options.types.length)
      throw new Error('expected each type of long jobs to be registered once');
    this.operations = longJobOperations(this.#types);
    const partitions = () => [...this.#hosts.values()].map(({ partition }) => partition);
    this.#sweeper = new LongJobSweeper({ ...options, partitions });
  }

  /** Takes up what a dead server left in the partition, then runs its jobs. */
  async open(partition: Partition): Promise<void> {
    const host: Host = { partition, hasBegun: false };
    this.#hosts.set(partition.id, host);
    while ((await partition.sendAsSystem(this.operations.recoverLongJobs, {})) > 0);
    host.hasBegun = true;
    this.wake();
    void this.#sweeper.look(partition);
  }

  /** Sees every commit: begins what was taken, stops what is to be aborted, wakes for what waits. */
  committed(partitionId: string, { writes }: Committed): void {
    for (const { collection, document } of writes) {
      if (collection.name !== longJobs.name || document === null) continue;
      const partition = this.#hosts.get(partitionId)?.partition;
      if (partition !== undefined) this.#see(partition, document as LongJob);
    }
  }

  /** Looks for jobs to take. */
  wake(): void {
    this.#again = true;
    if (this.#drained !== undefined || this.#taking !== undefined) return;
    this.#taking = this.#takeAll().finally(() => {
      this.#taking = undefined;
      if (this.#again) this.wake();
    });
  }

  /** Removes what is old, now. */
  sweep(): Promise<void> {
    return this.#sweeper.look();
  }

  /** How many jobs run here. */
  get running(): number {
    return this.#runs.size;
  }

  /** Takes nothing more and asks all runs to end; what has not after `waitMs` is given back all the same. Asked again, it is the same drain. */
  drain(waitMs: number): Promise<void> {
    this.#drained ??= this.#drain(waitMs);
    return this.#drained;
  }

  async #drain(waitMs: number): Promise<void> {
    await this.#sweeper.close();
    await this.#taking;
    const runs = [...this.#runs.values()];
    for (const run of runs) run.stop('drain');
    await new Promise<void>((resolve) => {
      const patience = this.#options.time.after(waitMs, resolve).hold();
      void Promise.all(runs.map(({ done }) => done)).then(() => {
        patience.cancel();
        resolve();
      });
    });
    await Promise.all([...this.#runs.values()].map((run) => run.giveUp()));
  }

  #see(partition: Partition, job: LongJob): void {
    const key = `${partition.id}/${job.id}`;
    const status = job.actor.value;
    if (status === 'queued') this.wake();
    else if (status === 'running' && !this.#runs.has(key)) this.#begin(key, partition, job);
    else if (status === 'aborting') this.#abort(key, partition, job.id);
  }

  #begin(key: string, partition: Partition, job: LongJob): void {
    const { callerOf, clock, time } = this.#options;
    const { operations } = this;
    const type = this.#types.get(job.type);
    const run = new Run({ partition, job, type, operations, callerOf, now: clock.now(), time });
    this.#runs.set(key, run);
    void run.done.then(() => {
      this.#runs.delete(key);
      this.wake();
    });
  }

  /** Stops its run; one that was still waiting has ended without any. */
  #abort(key: string, partition: Partition, jobId: string): void {
    const run = this.#runs.get(key);
    if (run !== undefined) return run.stop('abort');
    partition.sendAsSystem(this.operations.stopLongJob, { jobId }).catch((thrown: unknown) => {
      const code = thrown instanceof ServiceError ? thrown.code : undefined;
      if (code === 'UNAVAILABLE')
        this.#options.time.after(UNAVAILABLE_PAUSE_MS, () => this.#abort(key, partition, jobId));
      else if (code !== 'CONFLICT') serverLog.error({ err: thrown, jobId }, 'a long job could not be aborted');
    });
  }

  async #takeAll(): Promise<void> {
    const away = new Set<string>();
    while (this.#again && this.#drained === undefined) {
      this.#again = false;
      for (let next = this.#next(away); next !== undefined; next = this.#next(away)) {
        const { partition, job } = next;
        try {
          await partition.sendAsSystem(this.operations.takeLongJob, { jobId: job.id });
        } catch (thrown) {
          away.add(partition.id);
          if (!(thrown instanceof ServiceError)) serverLog.error({ err: thrown }, 'a long job could not be taken');
          this.#options.time.after(UNAVAILABLE_PAUSE_MS, () => this.wake());
        }
      }
    }
  }

  /** What a free worker takes next. */
  #next(away: ReadonlySet<string>): { partition: Partition; job: LongJob } | undefined {
    if (this.#drained !== undefined || this.#runs.size >= this.#options.workers) return undefined;
    let next: { partition: Partition; job: LongJob } | undefined;
    for (const [id, { partition, hasBegun }] of this.#hosts) {
      if (!hasBegun || away.has(id)) continue;
      const [job] = partition.peek().range(longJobs, 'queue', [Number.MIN_SAFE_INTEGER], 1, { skipDamaged: true });
      if (job !== undefined && (next === undefined || comesBefore(job, next.job))) next = { partition, job };
    }
    return next;
  }
}

const comesBefore = (a: LongJob, b: LongJob): boolean =>
  a.priority > b.priority || (a.priority === b.priority && (a.ticket ?? '') < (b.ticket ?? ''));
