import { messageOf, ServiceError } from '../shared/errors.js';

/** Something stored that is not what was written, or not where it belongs. */
export interface Finding {
  /** The file, within the data folder: `system/log.db`. */
  readonly file: string;
  /** The collection's name, or `commit`, `outcome`, `meta`, `file`. */
  readonly what: string;
  /** Which of them; null: all of it, or it is not known. */
  readonly id: string | null;
  readonly problem: string;
}

/**
 * A document, commit or outcome whose checksum is not that of its content. `what`: the collection's name, or `commit`, `outcome`. `id` null:
 * whoever asks may not know which one it is.
 */
export const damagedRow = (what: string, id: string | null) =>
  new ServiceError(
    'DATA_DAMAGED',
    `${what}${id === null ? '' : ` '${id}'`} is damaged: log.db holds something else than was written`,
    {
      reason: what === 'commit' || what === 'outcome' ? `${what}_damaged` : 'document_damaged',
      ...(id !== null && { resourceId: id }),
      details: { what, file: 'log.db' },
    },
  );

/** A `log.db` that cannot be read where it was asked. */
export const damagedLog = (problem: string) =>
  new ServiceError('DATA_DAMAGED', `log.db is damaged: ${problem}`, {
    reason: 'log_damaged',
    details: { file: 'log.db' },
  });

/** The error to throw for one that reading `log.db` threw: where SQLite finds the file or a text unsound, that is said in our words. */
export const readFault = (thrown: unknown): unknown =>
  isDamage(thrown) || messageOf(thrown) === 'malformed JSON' ? damagedLog(messageOf(thrown)) : thrown;

/** Whether this says that something stored is damaged. */
export const isDamaged = (thrown: unknown): thrown is ServiceError =>
  thrown instanceof ServiceError && thrown.code === 'DATA_DAMAGED';

/** SQLite's primary result codes (sqlite.org/rescode.html) that say something of the machine, not of the statement. */
const BUSY_LOCKED_READONLY_IOERR_FULL_CANTOPEN = new Set([5, 6, 8, 10, 13, 14]);
const CONSTRAINT = 19;
const CORRUPT_NOTADB = new Set([11, 26]);

/** What SQLite says with these codes; where a statement cannot even be prepared, that is all that is told. */
const UNSOUND = /^(database disk image is malformed|malformed database schema|file is not a database)/;

/** Whether the file is not a sound database any more. */
export const isDamage = (thrown: unknown): boolean =>
  CORRUPT_NOTADB.has(primaryCode(thrown)) || (thrown instanceof Error && UNSOUND.test(thrown.message));

/** Whether the machine failed, so that the same may succeed later. */
export const isOutage = (thrown: unknown): boolean => BUSY_LOCKED_READONLY_IOERR_FULL_CANTOPEN.has(primaryCode(thrown));

/** Whether something would not be unique. */
export const isConstraint = (thrown: unknown): boolean => primaryCode(thrown) === CONSTRAINT;

function primaryCode(thrown: unknown): number {
  const { errcode } = (thrown ?? {}) as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : 0;
}
