import { newId } from '../../shared/ids.js';
import { type Database, openDatabase } from '../sqlite.js';
import { createTables, LOG_FORMAT, type TableShape } from './schema.js';

/** Opens a `log.db` for writing, with all tables; a new one gets an epoch of its own. @throws when it is of a newer format than this code knows */
export function openReplicaFile(path: string, shapes: readonly TableShape[]): Database {
  const database = openDatabase(path);
  try {
    createTables(database, shapes);
    const insert = database.prepare('INSERT OR IGNORE INTO meta VALUES (?, ?)');
    insert.run('epoch', newId(Date.now()));
    insert.run('format', String(LOG_FORMAT));
    checkFormat(Number(metaOf(database, 'format')));
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

/** A value of the table `meta`. */
export function metaOf(database: Database, key: string): string | undefined {
  const row = database.prepare('SELECT value FROM meta WHERE key = ?').get(key) as { value: string } | undefined;
  return row?.value;
}

function checkFormat(format: number): void {
  if (format <= LOG_FORMAT) return;
  throw new Error(
    `log.db is of format ${format}, but this server knows only formats up to ${LOG_FORMAT}: start a newer server`,
  );
}
