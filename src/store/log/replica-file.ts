import { messageOf, ServiceError } from '../../shared/errors.js';
import { idSource } from '../../shared/ids.js';
import { systemTime, type Time } from '../../shared/time.js';
import { type Database, openDatabase } from '../sqlite.js';
import { createTables, LOG_FORMAT, type TableShape } from './schema.js';

/** Opens a `log.db` for writing, with all tables; a new one gets an epoch of its own. @throws when it is of another format than this code knows */
export function openReplicaFile(path: string, shapes: readonly TableShape[], time: Time = systemTime): Database {
  const database = opened(path);
  try {
    checkFormat(formatOf(database));
    createTables(database, shapes);
    const insert = database.prepare('INSERT OR IGNORE INTO meta VALUES (?, ?)');
    insert.run('epoch', idSource(time.seed(), time.now()).next());
    insert.run('format', String(LOG_FORMAT));
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

/** @throws CONFLICT when the file is damaged, or may not be written */
function opened(path: string): Database {
  try {
    return openDatabase(path);
  } catch (thrown) {
    throw new ServiceError(
      'CONFLICT',
      `expected ${path} to be a log that can be read and written, but: ${messageOf(thrown)}`,
      { reason: 'log_unusable' },
    );
  }
}

/** A value of the table `meta`. */
export function metaOf(database: Database, key: string): string | undefined {
  const row = database.prepare('SELECT value FROM meta WHERE key = ?').get(key) as { value: string } | undefined;
  return row?.value;
}

/** The format of the tables; the present one where there are none yet. */
function formatOf(database: Database): number {
  const isThere = database.prepare(`SELECT 1 AS one FROM sqlite_master WHERE name = 'meta'`).get() !== undefined;
  return Number((isThere ? metaOf(database, 'format') : undefined) ?? LOG_FORMAT);
}

function checkFormat(format: number): void {
  if (format === LOG_FORMAT) return;
  if (format < LOG_FORMAT) {
    throw new ServiceError(
      'CONFLICT',
      `log.db is of format ${format}, which no released server wrote; this server knows format ${LOG_FORMAT}: begin with an empty data folder`,
    );
  }
  throw new ServiceError(
    'CONFLICT',
    `log.db is of format ${format}, but this server knows only formats up to ${LOG_FORMAT}: start a newer server`,
  );
}
