import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';

/** A database file, through the API shape of `node:sqlite`. Keep it referenced as long as its statements. */
export type Database = DatabaseSyncInstance;
export type Statement = StatementSyncInstance;

/** SQLite goes through the whole table of cached pages at the end of some transactions, so a larger one makes commits dearer. */
const CACHE_KIB = 16_384;
const SCAN_CACHE_KIB = 65_536;
const MAP_BYTES = 268_435_456;

/** How a database file is opened. */
interface DatabaseOptions {
  /** A connection that follows what another thread writes. Default: false. */
  readonly readOnly?: boolean;
  /**
   * Whether the file is mapped into memory: long reads are faster. Each read behind a commit of another connection then begins with the map
   * made anew, which costs more than a few reads do without. Default: true.
   */
  readonly mapped?: boolean;
}

/** Opens a database file as every thread of the store does. */
export function openDatabase(path: string, { readOnly = false, mapped = true }: DatabaseOptions = {}): Database {
  const database = new DatabaseSync(path, { readOnly, timeout: 5_000 });
  try {
    // Checkpoints are the indexer's: an automatic one would stall a commit.
    if (!readOnly) database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0;');
    const cacheKib = readOnly && mapped ? SCAN_CACHE_KIB : CACHE_KIB;
    const mapBytes = mapped ? MAP_BYTES : 0;
    database.exec(`PRAGMA cache_size=-${cacheKib}; PRAGMA mmap_size=${mapBytes}; PRAGMA temp_store=MEMORY;`);
    return database;
  } catch (thrown) {
    // A damaged file: whoever makes a new one must not find this connection's locks.
    database.close();
    throw thrown;
  }
}

let collect: (() => void) | undefined;

/**
 * Has files of databases that were closed given back to the machine, on a thread of its own with little in memory: a connection keeps them as long as one of
 * its statements is not collected, and such a thread may collect nothing for hours.
 */
export function releaseClosed(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
