import type { Statements } from '../statements.js';

/** Raised when the indexer keeps its own tables differently; every `index.db` is then built anew. */
export const INDEX_FORMAT = 1;

/** The indexer's own table of `index.db`; all others are the projections'. */
export const CREATE_META = 'CREATE TABLE meta (key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID';

/** The revision that `index.db` has followed to; null as long as it is being built. */
export function indexRevisionOf(index: Statements): number | null {
  // A file that was only just made has no table yet.
  if (index.prepare("SELECT 1 FROM sqlite_master WHERE name = 'meta'").get() === undefined) return null;
  const row = index.prepare("SELECT value FROM meta WHERE key = 'revision'").get();
  return row === undefined ? null : Number(row.value);
}
