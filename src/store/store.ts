import { VirtualClock } from '../shared/clock.js';
import { ServiceError, unavailable } from '../shared/errors.js';
import { log as serverLog } from '../shared/log.js';
import { systemTime } from '../shared/time.js';
import { LogPatience } from './decide/outbox.js';
import type { DomainModule } from './domain.js';
import type { CommitFollower } from './feed/landed-commits.js';
import { incidents } from './incident/incident.js';
import { Integrity } from './integrity/integrity.js';
import { type AnyJobSubject, noSubject } from './job/job.js';
import { untakenRuns } from './job/job-starter.js';
import { longJobPieces, longJobs } from './job/long/long-job.js';
import { LONG_JOB_DEFAULTS, type LongJobSettings, LongJobs } from './job/long/long-jobs.js';
import { LocalLogs } from './log/local-logs.js';
import type { Logs, OpenedLog } from './log/logs.js';
import { MemoryLogs } from './log/memory-logs.js';
import type { LogWarning } from './log/redis-durability.js';
import { type AnyCollection, shapeOf } from './log/schema.js';
import { Partition, type PartitionOptions } from './partition/partition.js';
import { workspaceStopped } from './partition/stopped.js';
import { type NameChanger, nameChange } from './principal/change-name.js';
import { reactionPositions } from './reaction/reaction.js';

/** The collections that the store itself keeps in every partition. `subject`: what jobs are about. */
export const storeCollections = ({ jobs }: AnyJobSubject = noSubject): readonly AnyCollection[] => [
  jobs,
  untakenRuns,
  incidents,
  reactionPositions,
  longJobs,
  longJobPieces,
];

/** All collections of a partition: the store's own, and those of the domains. */
export const allCollections = (domains: readonly DomainModule[]): readonly AnyCollection[] => [
  ...storeCollections(domains.find(({ jobSubject }) => jobSubject !== undefined)?.jobSubject),
  ...domains.flatMap(({ collections }) => collections),
];

export interface StoreOptions
  extends Omit<PartitionOptions, 'id' | 'workspace' | 'log' | 'replica' | 'automatic' | 'followers' | 'patience'> {
  /** The data folder; null: in memory, gone with the process. */
  readonly folder: string | null;
  /** Where commits go. Default: the embedded log in the folder. */
  readonly logs?: Logs;
  /** The path of a `log.db` of the embedded log whose loss is accepted: it begins anew. */
  readonly acceptLoss?: string | undefined;
  /** How long the log may take for a group of commits, ms. Default 1,500. */
  readonly logAnswerMs?: number;
  /** How long it may until {@link Store.started}. Default: no longer. */
  readonly startMs?: number;
  /** The domains'; the store's own are added. */
  readonly collections: readonly AnyCollection[];
  /** The domains'. Default: none. */
  readonly nameChangers?: readonly NameChanger[];
  /** The kinds of long jobs, and how they run. Default {@link LONG_JOB_DEFAULTS}. */
  readonly longJobs?: Partial<LongJobSettings>;
  /** Told of a partition that is read from now on, before anything is decided there. */
  readonly opening?: (partition: Partition) => void;
  /** Run on a partition that is going to be closed: it is still used by whoever ends what goes on there. */
  readonly closing?: (partition: Partition) => Promise<void>;
  /** Run on a partition that nobody uses any more; its files may be removed behind this. */
  readonly closed?: (partition: string) => Promise<void>;
  /** Run on a partition that takes commands, before its jobs, reactions and long jobs begin: what a dead server left half done is cleared away. */
  readonly prepare?: (partition: Partition) => Promise<void>;
  /** Run on a partition whose jobs and reactions have begun, before its long jobs go on. */
  readonly opened?: (partition: Partition) => Promise<void>;
  /** Who follows the commits of a partition, behind the store itself. Default: nobody. */
  readonly followers?: (partition: string) => readonly CommitFollower[];
}

/** The store of one server: its open partitions. */
export class Store {
  /** The long jobs of all partitions. */
  readonly longJobs: LongJobs;
  /** Changes a principal's name in the documents of a partition. */
  readonly changeName: ReturnType<typeof nameChange>;
  /** What is known to be lost or damaged. */
  readonly integrity = new Integrity();
  readonly #options: StoreOptions;
  readonly #logs: Logs;
  readonly #collections: readonly AnyCollection[];
  readonly #partitions = new Map<string, Partition>();
  #isClosed = false;
  /** What is being done to open partitions, close and remove them: of each one at a time. */
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #patience: LogPatience;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#logs = options.logs ?? (options.folder === null ? new MemoryLogs() : new LocalLogs(options.folder, options));
    this.#collections = [...storeCollections(options.jobSubject), ...options.collections];
    this.changeName = nameChange(this.#collections, options.nameChangers ?? []);
    const { clock, time = systemTime, callerOf } = options;
    this.#patience = new LogPatience(options.logAnswerMs, options.startMs);
    this.longJobs = new LongJobs({ ...LONG_JOB_DEFAULTS, ...options.longJobs, clock, time, callerOf });
  }

  /**
   * Opens the partition, making it if it is not there; its jobs go on once it has begun. `isKnown`: it was there before.
   * @throws CONFLICT when it was there, and is gone
   */
  open(id: string, workspace: string, isKnown = false): Promise<Partition> {
    return this.#inTurn(id, async () => this.#partitions.get(id) ?? (await this.#open(id, workspace, isKnown)));
  }

  /**
   * Closes the partition while the server goes on: its jobs end, or are given back after `drainMs`, and whoever uses it is refused from then on as
   * UNAVAILABLE (`workspace_stopped`). It may be opened again. One that is not open stays so.
   */
  closePartition(id: string, drainMs: number): Promise<void> {
    return this.#inTurn(id, async () => {
      const partition = this.#partitions.get(id);
      if (partition !== undefined) await this.#closePartition(partition, drainMs);
    });
  }

  /**
   * Removes all that is kept of a partition, its log, replica and index. Repeated after a crash half-way it goes on; nothing is done where nothing is left.
   * @throws CONFLICT while it is open; UNAVAILABLE when the log is away, or another server decides for it
   */
  removePartition(id: string): Promise<void> {
    return this.#inTurn(id, async () => {
      if (this.#partitions.has(id)) {
        const refusal = `expected partition '${id}' to be closed before it is removed, but it is open`;
        throw new ServiceError('CONFLICT', refusal, { reason: 'workspace_not_stopped' });
      }
      await this.#logs.remove(id);
      this.integrity.forget(id);
    });
  }

  /** Behind whatever else is being done with the partition. */
  #inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(id) ?? Promise.resolve();
    const done = before.then(work, work);
    this.#turns.set(id, done);
    const ended = () => this.#turns.get(id) === done && this.#turns.delete(id);
    void done.then(ended, ended);
    return done;
  }

  async #closePartition(partition: Partition, drainMs: number): Promise<void> {
    const { id } = partition;
    await this.#end(partition);
    await this.longJobs.close(id, drainMs);
    await partition.close(drainMs);
    this.#partitions.delete(id);
    await this.#options.closed?.(id);
  }

  /** What cannot end well keeps the partition from being closed no more than what ends. */
  async #end(partition: Partition): Promise<void> {
    try {
      await this.#options.closing?.(partition);
    } catch (thrown) {
      serverLog.warn({ err: thrown, partition: partition.id }, 'what goes on in a partition could not be ended');
    }
  }

  async #open(id: string, workspace: string, isKnown: boolean): Promise<Partition> {
    const shapes = this.#collections.map(shapeOf);
    const { log, replica, loss, findings = [] } = await this.#logs.open(id, shapes, isKnown);
    for (const finding of findings) this.integrity.found({ ...finding, file: `${id}/log.db` });
    if (loss !== undefined) this.integrity.lost(loss);
    // Half open it is of use to nobody, and the next try begins anew.
    let partition: Partition | undefined;
    try {
      // Whoever waited for the log may have been given up meanwhile.
      if (this.#isClosed) throw unavailable('expected the store to be open, but it is closed');
      partition = this.#made(id, workspace, { log, replica });
      this.#options.opening?.(partition);
      this.#partitions.set(id, partition);
      await this.#options.prepare?.(partition);
      await partition.begin();
      await this.#options.opened?.(partition);
      await this.longJobs.open(partition);
      return partition;
    } catch (thrown) {
      if (partition !== undefined) await this.#closePartition(partition, 0);
      else {
        await log.close();
        replica.close();
      }
      throw thrown;
    }
  }

  #made(id: string, workspace: string, { log, replica }: Pick<OpenedLog, 'log' | 'replica'>): Partition {
    const { clock } = this.#options;
    replica.onDamage((damage) => this.integrity.met(id, damage));
    // The clock goes on where it stood: nothing that is stored lies in its future.
    clock.set(replica.lastCommitAt());
    const longJobs = this.longJobs.host(id);
    return new Partition({
      ...this.#options,
      operations: [...this.#options.operations, ...longJobs.operations, this.changeName],
      id,
      workspace,
      log,
      replica,
      collections: this.#collections,
      automatic: !(clock instanceof VirtualClock),
      patience: this.#patience,
      followers: [longJobs.follower, ...(this.#options.followers?.(id) ?? [])],
    });
  }

  /** The server takes calls: the log is no longer waited for than callers wait. */
  started(): void {
    this.#patience.started();
  }

  /** An open partition. @throws UNAVAILABLE when it is not open */
  find(id: string): Partition {
    const partition = this.#partitions.get(id);
    if (partition?.isOpen !== true) throw workspaceStopped(partition?.workspace ?? id);
    return partition;
  }

  /** Why a partition cannot be used now; undefined: it can. */
  refusal(id: string): ServiceError | undefined {
    const partition = this.#partitions.get(id);
    return partition?.isOpen === true ? undefined : workspaceStopped(partition?.workspace ?? id);
  }

  /** Those that are open now. */
  get partitions(): readonly Partition[] {
    return [...this.#partitions.values()].filter(({ isOpen }) => isOpen);
  }

  /** What an operator should change where the logs are kept. */
  get warnings(): readonly LogWarning[] {
    return [...(this.#logs.warnings ?? []), ...this.integrity.warnings];
  }

  async close(drainMs: number): Promise<void> {
    this.#isClosed = true;
    await this.longJobs.drain(drainMs);
    await Promise.all(
      [...this.#partitions.values()].map(async (partition) => {
        await this.#end(partition);
        await partition.close(drainMs);
      }),
    );
    this.#partitions.clear();
    this.integrity.close();
  }
}
