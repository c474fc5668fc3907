import { messageOf, ServiceError } from '../../shared/errors.js';
import { idSource } from '../../shared/ids.js';
import { log as serverLog } from '../../shared/log.js';
import { systemTime, type Time } from '../../shared/time.js';
import { isDamage } from '../damage.js';
import { type Database, openDatabase } from '../sqlite.js';
import { metaSum } from './checksum.js';
import { dropDamaged, metaOf, writeMeta } from './meta.js';
import { REDIS_REPLICA } from './replica-load.js';
import { createTables, LOG_FORMAT, type TableShape } from './schema.js';

/**
 * Opens a `log.db` for writing, with all tables; a new one gets an epoch of its own.
 * @throws CONFLICT (`log_unusable`) when it may not be written, or is of another format than this code knows; what SQLite throws when it is damaged
 */
export function openReplicaFile(path: string, shapes: readonly TableShape[], time: Time = systemTime): Database {
  const database = opened(path);
  try {
    checkFormat(formatOf(database));
    createTables(database, shapes);
    mend(database, path, time);
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

/** Writes the facts that are not there, be it that the file is new. */
function mend(database: Database, path: string, time: Time): void {
  const damaged = dropDamaged(database);
  if (damaged.length > 0) serverLog.error({ path, facts: damaged }, 'facts about a log are damaged, and told anew');
  // Nothing else is ever written there.
  if (damaged.includes('log')) writeMeta(database, 'log', REDIS_REPLICA);
  if (metaOf(database, 'epoch') === undefined) writeMeta(database, 'epoch', idSource(time.seed(), time.now()).next());
  database.prepare(`DELETE FROM meta WHERE key = 'copied'`).run();
  if (metaOf(database, 'format') === undefined) writeMeta(database, 'format', String(LOG_FORMAT));
  const first = database.prepare('SELECT revision, sum FROM commits ORDER BY revision LIMIT 1').get();
  if (first === undefined) return;
  const [revision, sum] = [Number(first.revision), Number(first.sum)];
  // What it follows on is not known any more: whoever asks for the feed begins behind it.
  const isBased = Number((metaOf(database, 'base') ?? '-1').split(' ')[0]) === revision - 1;
  if (!isBased) writeMeta(database, 'base', `${revision} ${sum}`);
  const gone = isBased ? revision - 1 : revision;
  if (gone > Number(metaOf(database, 'trimmed') ?? 0)) writeMeta(database, 'trimmed', String(gone));
}

function opened(path: string): Database {
  try {
    return openDatabase(path);
  } catch (thrown) {
    if (isDamage(thrown)) throw thrown;
    throw new ServiceError(
      'CONFLICT',
      `expected ${path} to be a log that can be read and written, but: ${messageOf(thrown)}`,
      { reason: 'log_unusable' },
    );
  }
}

/** The format of the tables; the present one where there are none yet. Formats that had no checksums are told, too. */
export function formatOf(database: Database): number {
  const isThere = database.prepare(`SELECT 1 AS one FROM sqlite_master WHERE name = 'meta'`).get() !== undefined;
  if (!isThere) return LOG_FORMAT;
  const row = database.prepare(`SELECT * FROM meta WHERE key = 'format'`).get();
  // While it is upgraded it has none yet.
  const isDamaged = Boolean(row?.sum) && row?.sum !== metaSum('format', String(row?.value));
  return isDamaged ? LOG_FORMAT : Number(row?.value ?? LOG_FORMAT);
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
