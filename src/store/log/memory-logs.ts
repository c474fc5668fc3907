import { unavailable } from '../../shared/errors.js';
import { partitionFolder } from '../data-folder.js';
import { Replica } from '../replica.js';
import type { Database } from '../sqlite.js';
import type { CommitRecord, Log } from './log.js';
import type { Logs, OpenedLog } from './logs.js';
import { openReplicaFile } from './replica-file.js';
import type { TableShape } from './schema.js';
import { LogWriter } from './writer.js';

/**
 * A file of SQLite's own in memory, which no other connection sees, of at most 1 GiB. A `:memory:` database would keep all of its pages in the
 * page cache, which SQLite may have to go through at the end of a transaction: each would take longer than the one before.
 */
const MEMORY_FILE = 'file:log?vfs=memdb';
const PAGE_CACHE_KIB = 4_096;

/** Logs that last as long as the process. For tests and benches. */
export class MemoryLogs implements Logs {
  async open(partition: string, shapes: readonly TableShape[]): Promise<OpenedLog> {
    partitionFolder('', partition); // refuses what cannot be one, as every log does
    const database = openReplicaFile(MEMORY_FILE, shapes);
    database.exec(`PRAGMA cache_size=-${PAGE_CACHE_KIB}`);
    return { log: new MemoryLog(database, shapes), replica: new Replica(database) };
  }

  /** One that is closed is gone already. */
  async remove(): Promise<void> {}
}

/** A log that lasts as long as the process: the same tables in an in-memory database, written on the caller's thread. For tests and benches. */
export class MemoryLog implements Log {
  readonly #writer: LogWriter;
  #closed = false;

  constructor(database: Database, shapes: readonly TableShape[]) {
    this.#writer = new LogWriter(database, shapes);
  }

  async append(group: readonly CommitRecord[]): Promise<void> {
    if (this.#closed) throw unavailable('the log is closed');
    this.#writer.append(group);
  }

  async trim(revision: number, outcomesBefore: number): Promise<void> {
    this.#writer.trim(revision, outcomesBefore);
  }

  async recover(): Promise<void> {
    this.#writer.probe();
  }

  async probe(): Promise<void> {
    this.#writer.probe();
  }

  async close(): Promise<void> {
    this.#closed = true;
  }
}
