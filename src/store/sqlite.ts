import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';

/** A database file, through the API shape of `node:sqlite`. Keep it referenced as long as its statements. */
export type Database = DatabaseSyncInstance;
export type Statement = StatementSyncInstance;

/** Opens a database file as every thread of the store does. `readOnly`: a connection that follows what another thread writes. */
export function openDatabase(path: string, options: { readOnly?: boolean } = {}): Database {
  const readOnly = options.readOnly ?? false;
  const database = new DatabaseSync(path, { readOnly, timeout: 5_000 });
  try {
    // Checkpoints are the indexer's: an automatic one would stall a commit.
    if (!readOnly) database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0;');
    database.exec('PRAGMA cache_size=-65536; PRAGMA mmap_size=268435456; PRAGMA temp_store=MEMORY;');
    return database;
  } catch (thrown) {
    // A damaged file: whoever makes a new one must not find this connection's locks.
    database.close();
    throw thrown;
  }
}
