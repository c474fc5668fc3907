import type { Caller, Cause } from '../../../shared/caller.js';
import type { Clock } from '../../../shared/clock.js';
import { messageOf, ServiceError } from '../../../shared/errors.js';
import { log as serverLog } from '../../../shared/log.js';
import type { Time } from '../../../shared/time.js';
import type { AnyOperation } from '../../decision.js';
import type { CommitFollower, Committed } from '../../feed/landed-commits.js';
import type { Partition } from '../../partition/partition.js';
import { nextAttempt } from '../attempt-operations.js';
import { Attempts, UNAVAILABLE_PAUSE_MS } from '../attempts.js';
import { Slots } from '../slots.js';
import { type LongJob, longJobs } from './long-job.js';
import type { LongJobType } from './long-job-type.js';
import { type LongJobOperations, longJobClass, longJobOperations } from './operations.js';
import { Run } from './run.js';

/** Settings of long jobs. */
export interface LongJobSettings {
  /** The kinds of long jobs that there are. Default none. */
  readonly types: readonly LongJobType[];
  /** How many run at once on this server, whatever their workspaces. Default 4. */
  readonly workers: number;
}

export const LONG_JOB_DEFAULTS: LongJobSettings = { types: [], workers: 4 };

interface LongJobsOptions extends LongJobSettings {
  /** The domain clock. */
  readonly clock: Clock;
  readonly time: Time;
  /** Groups and roles of a job's owner, as they are now. */
  readonly callerOf: (userId: string, workspace: string, cause: Cause) => Caller;
}

/** The long jobs of a partition. */
interface Host {
  /** All partitions share the workers. */
  readonly slots: Slots;
  readonly attempts: Attempts<LongJob, Run>;
  /** Undefined as long as it is not open. */
  partition: Partition | undefined;
  /** Nothing is taken before what a dead server was running is taken up. */
  hasBegun: boolean;
}

interface Next {
  readonly host: Host;
  readonly job: LongJob;
}

/** Runs the long jobs of all partitions of this server: the one with the highest priority first, then the one that was started first. */
export class LongJobs {
  readonly operations: LongJobOperations;
  readonly #options: LongJobsOptions;
  readonly #types: ReadonlyMap<string, LongJobType>;
  readonly #hosts = new Map<string, Host>();
  #taking: Promise<void> | undefined;
  #again = false;
  #drained: Promise<void> | undefined;

  constructor(options: LongJobsOptions) {
    this.#options = options;
    this.#types = new Map(options.types.map((type) => [type.type, type]));
    if (this.#types.size < options.types.length)
      throw new Error('expected each type of long jobs to be registered once');
    this.operations = longJobOperations(this.#types);
  }

  /** Operations of a partition on its long jobs, and the follower of its commits for them. Asked before it is opened. */
  host(partitionId: string): { readonly operations: readonly AnyOperation[]; readonly follower: CommitFollower } {
    const host = this.#newHost();
    this.#hosts.set(partitionId, host);
    return {
      operations: [...Object.values(this.operations), ...Object.values(host.attempts.operations)],
      follower: {
        collections: [longJobs],
        committed: (committed) => this.#committed(host, committed),
        renewed: () => host.hasBegun && host.attempts.renew(() => this.wake()),
      },
    };
  }

  /** Takes up what a dead server left in the partition, then runs its jobs. */
  async open(partition: Partition): Promise<void> {
    const host = this.#hosts.get(partition.id);
    if (host === undefined) throw new Error(`expected partition '${partition.id}' to decide of its long jobs`);
    host.partition = partition;
    await host.attempts.takeBack();
    host.hasBegun = true;
    this.wake();
  }

  /** Takes nothing more of the partition and asks its runs to end; what has not after `waitMs` is given back all the same. Others go on. */
  async close(partitionId: string, waitMs: number): Promise<void> {
    const host = this.#hosts.get(partitionId);
    if (host === undefined) return;
    host.hasBegun = false;
    await this.#drainHost(host, waitMs);
    if (this.#hosts.get(partitionId) === host) this.#hosts.delete(partitionId);
    // Its workers are free for the others.
    this.wake();
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

  /** How many jobs run here. */
  get running(): number {
    return [...this.#hosts.values()].reduce((sum, { slots }) => sum + slots.used, 0);
  }

  /** Takes nothing more and asks all runs to end; what has not after `waitMs` is given back all the same. Asked again, it is the same drain. */
  drain(waitMs: number): Promise<void> {
    this.#drained ??= this.#drain(waitMs);
    return this.#drained;
  }

  async #drain(waitMs: number): Promise<void> {
    await this.#taking;
    await Promise.all([...this.#hosts.values()].map((host) => this.#drainHost(host, waitMs)));
  }

  async #drainHost({ attempts }: Host, waitMs: number): Promise<void> {
    const runs = attempts.runs.map(({ done }) => done);
    await attempts
      .drain(() => Promise.all(runs), waitMs)
      .catch((thrown: unknown) => {
        // The next start takes them back.
        serverLog.warn({ reason: messageOf(thrown) }, 'long jobs could not be given back');
      });
  }

  /** Sees every commit that writes long jobs: begins what was taken, stops what is to be aborted, wakes for what waits. */
  #committed(host: Host, committed: Committed): void {
    if (host.partition === undefined) return;
    host.attempts.committed(committed);
    for (const { collection, document } of committed.writes) {
      const status = collection.name === longJobs.name ? (document as LongJob | null)?.actor.value : undefined;
      if (status === 'queued') this.wake();
      else if (status === 'aborting') this.#abort(host, (document as LongJob).id);
    }
  }

  #newHost(): Host {
    const slots = new Slots(Number.POSITIVE_INFINITY);
    const attempts = new Attempts<LongJob, Run>({
      of: longJobClass(this.#types),
      slots,
      time: this.#options.time,
      send: (operation, input) => partitionOf(host).sendAsSystem(operation, input),
      perform: (job) => this.#perform(host, job),
      over: () => this.wake(),
      stop: (run) => run.stop('drain'),
      giveUp: (run) => run.giveUp(),
    });
    const host: Host = { slots, attempts, partition: undefined, hasBegun: false };
    return host;
  }

  #perform(host: Host, job: LongJob): Run {
    const { callerOf, clock, time } = this.#options;
    const operations = { ...this.operations, release: host.attempts.operations.release };
    const type = this.#types.get(job.type);
    const run = new Run({ partition: partitionOf(host), job, type, operations, callerOf, now: clock.now(), time });
    // Where its end was another's to tell, its slot is free all the same.
    void run.done.then(() => host.attempts.has(job) && host.attempts.over(job.id, job));
    return run;
  }

  /** Stops its run; one that was still waiting has ended without any. */
  #abort(host: Host, jobId: string): void {
    const run = host.attempts.runOf(jobId);
    if (run !== undefined) return run.stop('abort');
    partitionOf(host)
      .sendAsSystem(this.operations.stopLongJob, { jobId })
      .catch((thrown: unknown) => {
        const code = thrown instanceof ServiceError ? thrown.code : undefined;
        if (code === 'UNAVAILABLE') this.#options.time.after(UNAVAILABLE_PAUSE_MS, () => this.#abort(host, jobId));
        else if (code !== 'CONFLICT') serverLog.error({ err: thrown, jobId }, 'a long job could not be aborted');
      });
  }

  async #takeAll(): Promise<void> {
    const away = new Set<Host>();
    while (this.#again && this.#drained === undefined) {
      this.#again = false;
      for (let next = this.#next(away); next !== undefined; next = this.#next(away))
        if (!(await this.#take(next))) away.add(next.host);
    }
  }

  /** Whether it could be taken, or is not there any more. */
  async #take({ host, job }: Next): Promise<boolean> {
    // An attempt of a history that is no more may still run here: its end wakes.
    if (!host.slots.reserve(nextAttempt(job))) return false;
    try {
      await host.attempts.take([job.id]);
      return true;
    } catch (thrown) {
      if (!(thrown instanceof ServiceError)) serverLog.error({ err: thrown }, 'a long job could not be taken');
      this.#options.time.after(UNAVAILABLE_PAUSE_MS, () => this.wake());
      return false;
    }
  }

  /** The job that a free worker takes next. */
  #next(away: ReadonlySet<Host>): Next | undefined {
    if (this.#drained !== undefined || this.running >= this.#options.workers) return undefined;
    let next: Next | undefined;
    for (const host of this.#hosts.values()) {
      if (!host.hasBegun || away.has(host)) continue;
      const waiting = partitionOf(host).decider.peek();
      const [job] = waiting.range(longJobs, 'queue', [Number.MIN_SAFE_INTEGER], 1, { skipDamaged: true });
      if (job !== undefined && (next === undefined || comesBefore(job, next.job))) next = { host, job };
    }
    return next;
  }
}

function partitionOf({ partition }: Host): Partition {
  if (partition === undefined) throw new Error('expected the partition of long jobs to be open');
  return partition;
}

const comesBefore = (a: LongJob, b: LongJob): boolean =>
  a.priority > b.priority || (a.priority === b.priority && (a.ticket ?? '') < (b.ticket ?? ''));
