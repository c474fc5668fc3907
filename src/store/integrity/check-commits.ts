import { commitSum } from '../log/checksum.js';
import type { CommitBody } from '../log/log.js';
import { metaOf } from '../log/meta.js';
import { commitBodyOf } from '../log/packed.js';
import type { Database } from '../sqlite.js';

/** Takes what is found wrong. `id` null: all of it, or it is not known. */
export type Report = (what: string, id: string | null, problem: string) => void;

/** How many commits one read takes. */
const COMMITS = 500;

interface CommitRow {
  readonly revision: number;
  readonly id: string;
  readonly at: number;
  readonly events: number;
  readonly sum: number;
  readonly body: string;
  /** The checksum of the commit before it; null: that is not there. */
  readonly before: number | null;
}

/** The revision of the newest commit; 0 before the first. */
export const newestRevision = (database: Database): number =>
  Number(database.prepare('SELECT max(revision) AS revision FROM commits').get()?.revision ?? 0);

/** That the commits behind a revision are all there, and are what was written. Yields between reads, each of one state of the file. */
export function* checkChain(database: Database, behind: number, report: Report): Generator<void> {
  const read = database.prepare(
    `SELECT c.*, p.sum AS before FROM commits c LEFT JOIN commits p ON p.revision = c.revision - 1
     WHERE c.revision > ? ORDER BY c.revision LIMIT ?`,
  );
  for (let last = behind; ; ) {
    const { rows, base } = snapshot(database, () => ({
      rows: read.all(last, COMMITS) as unknown as CommitRow[],
      base: (metaOf(database, 'base') ?? '').split(' ').map(Number),
    }));
    for (const row of rows) checkCommit(row, base, report);
    if (rows.length === 0) return;
    last = rows.at(-1)?.revision ?? last;
    yield;
  }
}

/** `base`: the last commit that was trimmed, and its checksum. */
function checkCommit(row: CommitRow, [trimmed, sum]: readonly number[], report: Report): void {
  // It is kept for its revision alone, or what it followed on is not known any more.
  if (row.revision <= (trimmed ?? 0)) return;
  const before = row.before ?? (trimmed === row.revision - 1 ? (sum ?? 0) : null);
  if (before === null) report('commit', String(row.revision - 1), 'it is not there');
  else if (commitSum(before, row, row.body) !== row.sum)
    report('commit', String(row.revision), 'its checksum is not that of its content and of the commit before it');
}

/**
 * That the documents which kept commits wrote are there, at the commit's revision or a later one, or were removed since. From the newest commit
 * to the oldest, so that what was removed later is known.
 */
export function* checkNamed(database: Database, report: Report): Generator<void> {
  const since = Number(metaOf(database, 'removals') ?? 0);
  const read = database.prepare(
    'SELECT revision, body FROM commits WHERE revision < ? AND revision > ? ORDER BY revision DESC LIMIT ?',
  );
  const newest = newestRevision(database);
  const named = new NamedDocuments(database, report);
  for (let below = newest + 1; ; ) {
    const rows = snapshot(database, () => {
      const found = read.all(below, since, COMMITS) as unknown as CommitRow[];
      for (const commit of found) named.look(commit);
      return found;
    });
    if (rows.length === 0) break;
    below = rows.at(-1)?.revision ?? 0;
    yield;
  }
  named.end(newest);
}

/** The documents that commits name, as far as they were looked at: from the newest to the oldest. */
class NamedDocuments {
  readonly #database: Database;
  readonly #report: Report;
  readonly #statements = new Map<string, { get(id: string): unknown } | null>();
  readonly #removed = new Set<string>();
  readonly #absent: { readonly collection: string; readonly id: string; readonly revision: number }[] = [];

  constructor(database: Database, report: Report) {
    this.#database = database;
    this.#report = report;
  }

  look({ revision, body }: Pick<CommitRow, 'revision' | 'body'>): void {
    for (const [collection, id, gone] of namedIn(body)) {
      if (gone === null) this.#removed.add(`${collection}/${id}`);
      else if (!this.#removed.has(`${collection}/${id}`)) this.#compare(collection, id, revision);
    }
  }

  #compare(collection: string, id: string, revision: number): void {
    const written = this.#revisionOf(collection, id);
    if (written === undefined) this.#absent.push({ collection, id, revision });
    else if (written < revision)
      this.#report(collection, id, `it is of revision ${written}, although commit ${revision} wrote it`);
  }

  /** What was not there may have been removed by commits that came behind the newest that was looked at. */
  end(newest: number): void {
    if (this.#absent.length === 0) return;
    const since = this.#database.prepare('SELECT body FROM commits WHERE revision > ?');
    for (const { body } of since.iterate(newest)) {
      for (const [collection, id, gone] of namedIn(String(body))) {
        if (gone === null) this.#removed.add(`${collection}/${id}`);
      }
    }
    for (const { collection, id, revision } of this.#absent) {
      if (!this.#removed.has(`${collection}/${id}`))
        this.#report(collection, id, `it is not there, although commit ${revision} wrote it and none removed it`);
    }
  }

  #revisionOf(collection: string, id: string): number | undefined {
    let statement = this.#statements.get(collection);
    if (statement === undefined) {
      const isThere = this.#database
        .prepare('SELECT 1 AS one FROM sqlite_master WHERE name = ?')
        .get(`d_${collection}`);
      statement = isThere ? this.#database.prepare(`SELECT revision FROM "d_${collection}" WHERE id = ?`) : null;
      this.#statements.set(collection, statement);
    }
    return (statement?.get(id) as { revision: number } | undefined)?.revision;
  }
}

/** What a commit names; nothing where it cannot be read, which the chain tells. */
function namedIn(body: string): CommitBody['docs'] {
  try {
    return commitBodyOf(body).docs ?? [];
  } catch {
    return [];
  }
}

/** Runs `work` in one read transaction. */
export function snapshot<T>(database: Database, work: () => T): T {
  database.exec('BEGIN');
  try {
    return work();
  } finally {
    database.exec('ROLLBACK');
  }
}
