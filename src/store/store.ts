import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, VirtualClock } from '../shared/clock.js';
import { newId } from '../shared/ids.js';
import type { Committed } from './decide/commit.js';
import { incidents } from './incident/incident.js';
import { jobs } from './job/job.js';
import { LocalLog } from './log/local-log.js';
import { MemoryLog } from './log/memory-log.js';
import { type AnyCollection, createTables, LOG_FORMAT, shapeOf } from './log/schema.js';
import { longJobPieces, longJobs } from './long-job/long-job.js';
import { LONG_JOB_DEFAULTS, type LongJobSettings, LongJobs } from './long-job/long-jobs.js';
import { allLongJobOperations } from './long-job/operations.js';
import { Partition, type PartitionOptions } from './partition.js';
import { reactionPositions } from './reaction/reaction.js';
import { Replica } from './replica.js';
import { type Database, openDatabase } from './sqlite.js';

/** The collections that the store itself keeps in every partition. */
export const storeCollections: readonly AnyCollection[] = [jobs, incidents, reactionPositions, longJobs, longJobPieces];

export interface StoreOptions
  extends Omit<PartitionOptions, 'id' | 'workspace' | 'log' | 'replica' | 'automatic' | 'committed'> {
  /** The data folder; null: in memory, gone with the process. */
  readonly folder: string | null;
  readonly collections: readonly AnyCollection[];
  /** The kinds of long jobs, and how they run. Default {@link LONG_JOB_DEFAULTS}. */
  readonly longJobs?: Partial<LongJobSettings>;
  /** Told of every durable commit of any partition. */
  readonly committed?: (partition: string, committed: Committed) => void;
}

/** The store of one server: its open partitions. */
export class Store {
  /** The long jobs of all partitions. */
  readonly longJobs: LongJobs;
  readonly #options: StoreOptions;
  readonly #partitions = new Map<string, Partition>();

  constructor(options: StoreOptions) {
    this.#options = options;
    const { clock, callerOf } = options;
    this.longJobs = new LongJobs({ ...LONG_JOB_DEFAULTS, ...options.longJobs, clock, callerOf });
  }

  /** Opens the partition, making it if it is not there; its jobs go on once it has begun. */
  async open(id: string, workspace: string): Promise<Partition> {
    const known = this.#partitions.get(id);
    if (known !== undefined) return known;
    const { clock, folder } = this.#options;
    const shapes = [...storeCollections, ...this.#options.collections].map(shapeOf);
    const path = folder === null ? ':memory:' : join(folder, id, 'log.db');
    if (folder !== null) mkdirSync(join(folder, id), { recursive: true });
    const database = openDatabase(path);
    createTables(database, shapes);
    if (clock instanceof VirtualClock) clock.set(lastCommitAt(database));
    prepare(database, clock);
    const { log, replica } = folder === null ? inMemory(database, shapes) : onDisk(database, path, shapes);
    const automatic = !(clock instanceof VirtualClock);
    const partition = new Partition({
      ...this.#options,
      operations: [...this.#options.operations, ...allLongJobOperations(this.longJobs.operations)],
      id,
      workspace,
      log,
      replica,
      automatic,
      committed: (commit) => this.#committed(id, commit),
    });
    this.#partitions.set(id, partition);
    await partition.begin();
    await this.longJobs.open(partition);
    return partition;
  }

  /** An open partition. @throws when it is not open */
  find(id: string): Partition {
    const partition = this.#partitions.get(id);
    if (partition === undefined) throw new Error(`partition '${id}' is not open`);
    return partition;
  }

  get partitions(): readonly Partition[] {
    return [...this.#partitions.values()];
  }

  async close(drainMs: number): Promise<void> {
    await this.longJobs.drain(drainMs);
    await Promise.all(this.partitions.map((partition) => partition.close(drainMs)));
    this.#partitions.clear();
  }

  #committed(id: string, commit: Committed): void {
    this.longJobs.committed(id, commit);
    this.#options.committed?.(id, commit);
  }
}

/** A virtual clock goes on where it stood: nothing that is stored lies in its future. ms, domain clock; 0 before the first commit. */
function lastCommitAt(database: Database): number {
  const last = database.prepare('SELECT at FROM commits ORDER BY revision DESC LIMIT 1').get();
  return Number(last?.at ?? 0);
}

/** The partition's epoch, and the format its tables are written in. */
function prepare(database: Database, clock: Clock): void {
  const insert = database.prepare('INSERT OR IGNORE INTO meta VALUES (?, ?)');
  insert.run('epoch', newId(clock.now()));
  insert.run('format', String(LOG_FORMAT));
  const { value } = database.prepare(`SELECT value FROM meta WHERE key = 'format'`).get() as { value: string };
  if (Number(value) > LOG_FORMAT) {
    throw new Error(
      `log.db is of format ${value}, but this server knows only formats up to ${LOG_FORMAT}: start a newer server`,
    );
  }
}

function onDisk(database: Database, path: string, shapes: Parameters<typeof createTables>[1]) {
  database.close();
  return { log: new LocalLog(path, shapes), replica: new Replica(openDatabase(path, { readOnly: true })) };
}

const inMemory = (database: Database, shapes: Parameters<typeof createTables>[1]) => ({
  log: new MemoryLog(database, shapes),
  replica: new Replica(database),
});
