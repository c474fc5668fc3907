import { messageOf } from '../../shared/errors.js';
import { isDamage, isDamaged } from '../damage.js';
import { leanDocumentOf } from '../document-text.js';
import { outcomeSum } from '../log/checksum.js';
import { metaKeys, metaOf } from '../log/meta.js';
import { multiTablesOf, type StoredRow, StoredRows, storedCollections } from '../log/stored-rows.js';
import type { Database } from '../sqlite.js';
import { checkChain, checkNamed, newestRevision, type Report, snapshot } from './check-commits.js';

/** How many outcomes one read takes, and how many problems SQLite tells of a table. */
const OUTCOMES = 1_000;
const PROBLEMS = 20;

/**
 * Walks a whole `log.db`: that SQLite finds it sound and its indexes true, that its commits form a chain, that its documents and outcomes are what
 * was written, that what kept commits wrote is there. Reads alone, a little at a time: it may be walked while a server writes, and yields wherever
 * it may be paused. A part that cannot be read is reported, and the others are walked all the same.
 */
export function* checkLog(database: Database, report: Report): Generator<void> {
  const parts: readonly Generator<void>[] = [
    checkMeta(database, report),
    checkChain(database, 0, report),
    checkOutcomes(database, report),
    ...(collectionsOf(database, report) ?? []).map((collection) => checkCollection(database, collection, report)),
    checkNamed(database, report),
    checkFile(database, report),
  ];
  for (const part of parts) yield* tolerant(part, report);
}

/** A part whose reading fails on a damaged page ends there. */
export function* tolerant(part: Generator<void>, report: Report): Generator<void> {
  try {
    yield* part;
  } catch (thrown) {
    if (!isDamage(thrown) && !isDamaged(thrown)) throw thrown;
    report('file', null, messageOf(thrown));
  }
}

function collectionsOf(database: Database, report: Report): string[] | undefined {
  try {
    return storedCollections(database);
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown;
    report('file', null, messageOf(thrown));
    return undefined;
  }
}

function* checkMeta(database: Database, report: Report): Generator<void> {
  for (const key of metaKeys) {
    try {
      metaOf(database, key);
    } catch (thrown) {
      if (!isDamaged(thrown)) throw thrown;
      report('meta', key, 'its checksum is not that of its content');
    }
  }
  if (metaOf(database, 'epoch') === undefined && metaOf(database, 'copied') === undefined)
    report('meta', 'epoch', 'it is not there');
  yield;
}

function* checkOutcomes(database: Database, report: Report): Generator<void> {
  const read = database.prepare(
    'SELECT rowid AS n, id, at, revision, sum, body FROM outcome WHERE rowid > ? ORDER BY rowid LIMIT ?',
  );
  for (let n = 0; ; ) {
    const rows = read.all(n, OUTCOMES);
    for (const { id, at, revision, sum, body } of rows) {
      if (outcomeSum(String(id), Number(at), Number(revision), String(body)) !== sum)
        report('outcome', String(id), 'its checksum is not that of its content');
    }
    if (rows.length === 0) return;
    n = Number(rows.at(-1)?.n);
    yield;
  }
}

function* checkCollection(database: Database, collection: string, report: Report): Generator<void> {
  const reader = new StoredRows(database, collection);
  for (let n = 0; ; ) {
    const { rows, newest } = snapshot(database, () => ({ rows: reader.after(n), newest: newestRevision(database) }));
    for (const row of rows) {
      const problem = problemOf(row, newest);
      if (problem !== undefined) report(collection, row.id, problem);
    }
    const last = rows.at(-1);
    if (last === undefined) break;
    n = last.n;
    yield;
  }
  yield* checkMulti(database, collection, report);
}

function problemOf({ id, body, revision, values, valuesWritten, found, expected }: StoredRow, newest: number) {
  if (found.body !== expected.body) return 'its checksum is not that of its content';
  if (found.row !== expected.row) return 'the checksum of its row is not that of its revision, columns and values';
  if (revision > newest) return `it is of revision ${revision}, but the newest commit is ${newest}`;
  if (values > 0 && valuesWritten === 0) return `it has ${values} values, although it was written with none`;
  return idIn(id, body) === id ? undefined : 'its text is not that of a document with its id';
}

function idIn(id: string, body: string): unknown {
  try {
    return leanDocumentOf({ id, body }).id;
  } catch {
    return undefined;
  }
}

/** That no values are there of documents that are not. */
function* checkMulti(database: Database, collection: string, report: Report): Generator<void> {
  for (const table of multiTablesOf(database, collection)) {
    const strays = database.prepare(
      `SELECT DISTINCT id FROM "${table}" m WHERE NOT EXISTS (SELECT 1 FROM "d_${collection}" d WHERE d.id = m.id) LIMIT ${PROBLEMS}`,
    );
    for (const { id } of strays.all())
      report(collection, String(id), `there are values of it in ${table}, but not itself`);
    yield;
  }
}

/** What SQLite itself finds: table by table with its indexes, then the file's pages. */
function* checkFile(database: Database, report: Report): Generator<void> {
  const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`).all();
  for (const { name } of tables) {
    sqliteProblems(database, `PRAGMA integrity_check("${String(name)}")`, report);
    yield;
  }
  sqliteProblems(database, `PRAGMA quick_check(${PROBLEMS})`, report);
  yield;
}

function sqliteProblems(database: Database, pragma: string, report: Report): void {
  for (const row of database.prepare(pragma).all().slice(0, PROBLEMS)) {
    const problem = String(Object.values(row)[0]);
    if (problem !== 'ok') report('file', null, problem);
  }
}
