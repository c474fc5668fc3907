import { partitionFolder } from '../partition-folder.js';
import { Replica } from '../replica.js';
import type { Logs, OpenedLog } from './logs.js';
import { MemoryLog } from './memory-log.js';
import { openReplicaFile } from './replica-file.js';
import type { TableShape } from './schema.js';

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
}
