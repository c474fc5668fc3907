import { existsSync, rmSync } from 'node:fs';
import { openDatabase } from '../sqlite.js';
import { CachedStatements, type Statements } from '../statements.js';
import type { AnyProjection } from './projection.js';

/** Raised when the indexer keeps its own tables differently; every `index.db` is then built anew. */
const INDEX_FORMAT = 1;

/** The indexer's own table of `index.db`; all others are the projections'. */
export const CREATE_META = 'CREATE TABLE meta (key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID';

/** How far an index has come: the revision, and the commit that it was. */
export interface IndexPlace {
  readonly revision: number;
  /** '' before the first commit. */
  readonly commitId: string;
}

/** The revision that `index.db` has followed to; null as long as it is being built. */
export function indexRevisionOf(index: Statements): number | null {
  // A file that was only just made has no table yet.
  if (index.prepare("SELECT 1 FROM sqlite_master WHERE name = 'meta'").get() === undefined) return null;
  const value = metaOf(index, 'revision');
  return value === undefined ? null : Number(value);
}

export function metaOf(index: Statements, key: string): string | undefined {
  const row = index.prepare('SELECT value FROM meta WHERE key = ?').get(key);
  return row === undefined ? undefined : String(row.value);
}

export function writePlace(index: Statements, { revision, commitId }: IndexPlace): void {
  index.prepare("INSERT OR REPLACE INTO meta VALUES ('revision', ?), ('commitId', ?)").run(revision, commitId);
}

/** The form of an index of these projections and this history, as a text; another one means that it is to be built anew. */
export const identityOf = (projections: readonly AnyProjection[], epoch: string): string =>
  JSON.stringify([INDEX_FORMAT, epoch, ...projections.map(({ name, format }) => [name, format])]);

/** Opens an `index.db` that has this identity and was built to its end; undefined: there is none. @throws when the file is damaged */
export function openIndex(path: string, identity: string): { index: CachedStatements; place: IndexPlace } | undefined {
  if (!existsSync(path)) return undefined;
  const index = new CachedStatements(openDatabase(path));
  try {
    index.database.exec('PRAGMA synchronous=NORMAL');
    const revision = indexRevisionOf(index);
    if (revision !== null && metaOf(index, 'identity') === identity) {
      return { index, place: { revision, commitId: metaOf(index, 'commitId') ?? '' } };
    }
  } catch (thrown) {
    index.close();
    throw thrown;
  }
  index.close();
  return undefined;
}

/** Makes an empty `index.db`, in place of what was there. */
export function createIndex(path: string, identity: string, projections: readonly AnyProjection[]): CachedStatements {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  const index = new CachedStatements(openDatabase(path));
  // What a power cut may cost here is made again from the log.
  index.database.exec('PRAGMA synchronous=NORMAL');
  index.database.exec('BEGIN IMMEDIATE');
  index.database.exec(CREATE_META);
  for (const projection of projections) index.database.exec(projection.create);
  index.prepare("INSERT INTO meta VALUES ('identity', ?)").run(identity);
  index.database.exec('COMMIT');
  return index;
}
