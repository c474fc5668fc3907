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
