import type { Collection } from '../collection.js';
import type { Database } from '../sqlite.js';

/**
 * The tables of `log.db`. Per collection one rowid table `d_<name>` (n, id, revision, body_sum, row_sum, body, c_<column>…, with multi columns m)
 * with one SQL index per declared index, and per multi column one table `m_<name>_<column>` (value, id). Every name is spelt here. Every row but
 * those of the multi columns, which are of a document, has a checksum (`checksum.ts`).
 */

/** Raised when a stored table cannot be read by this code any more; it is then upgraded on open. */
export const LOG_FORMAT = 6;

// biome-ignore lint/suspicious/noExplicitAny: a collection of any documents; the tables do not look into them
export type AnyCollection = Collection<any>;

export const tableOf = (collection: Pick<AnyCollection, 'name'>): string => `"d_${collection.name}"`;
/** The id is a column of each table, whether it is declared or not. */
export const columnOf = (column: string): string => (column === 'id' ? 'id' : `"c_${column}"`);
/** The column that counts a document's multi values, so that where there are none nothing need be cleared. */
export const MULTI_COUNT = 'm';
/** The column with the checksum of id and text. */
export const BODY_SUM = 'body_sum';
/** The column with the checksum of the whole row, its multi values included. */
export const ROW_SUM = 'row_sum';
export const multiTableOf = (collection: Pick<AnyCollection, 'name'>, column: string): string =>
  `"m_${collection.name}_${column}"`;

/** Shape of the table of a collection, for the writer: names alone, so that it can be sent to a thread. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
  readonly multi: readonly string[];
  /** Columns that hardly ever change. */
  readonly steady: readonly string[];
  readonly indexes: readonly IndexShape[];
  /** Columns of names of principals, and the paths at which documents have these. Default: none. */
  readonly named?: readonly NamedColumn[];
}

export interface NamedColumn {
  readonly column: string;
  readonly isMulti: boolean;
  readonly paths: readonly string[];
}

interface IndexShape {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
  readonly seldomTied?: boolean;
}

export const shapeOf = (collection: AnyCollection): TableShape => ({
  name: collection.name,
  columns: Object.keys(collection.columns),
  multi: Object.keys(collection.multi),
  steady: collection.steady,
  indexes: Object.entries(collection.indexes).map(([name, { columns, unique = false, seldomTied = false }]) => ({
    ...{ name, columns, unique, seldomTied },
  })),
  named: namedColumns(collection),
});

function namedColumns({ principals, indexes }: AnyCollection): NamedColumn[] {
  const columns = new Map<string, NamedColumn>();
  for (const [path, by] of Object.entries(principals)) {
    const column = indexes[by]?.columns[0] ?? by;
    const { paths = [] } = columns.get(column) ?? {};
    columns.set(column, { column, isMulti: indexes[by] === undefined, paths: [...paths, path] });
  }
  return [...columns.values()];
}

/** The columns that a table has; none: there is no such table. */
export const columnsIn = (database: Database, table: string): string[] =>
  database
    .prepare(`PRAGMA table_info(${table})`)
    .all()
    .map((row) => String(row.name));

/** Makes whatever tables, columns and indexes are not there yet, and indexes anew that are others: all of them, or none. */
export function createTables(database: Database, shapes: readonly TableShape[]): void {
  // One transaction: each statement by itself would wait for the disk.
  database.exec('BEGIN IMMEDIATE');
  try {
    createAll(database, shapes);
    database.exec('COMMIT');
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw thrown;
  }
}

function createAll(database: Database, shapes: readonly TableShape[]): void {
  database.exec(`
    CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL, sum INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS commits (revision INTEGER PRIMARY KEY, id TEXT NOT NULL, at INTEGER NOT NULL, events INTEGER NOT NULL, sum INTEGER NOT NULL, body TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS outcome (id TEXT PRIMARY KEY, at INTEGER NOT NULL, revision INTEGER NOT NULL, sum INTEGER NOT NULL, body TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS outcome_at ON outcome (at);
  `);
  for (const shape of shapes) createCollection(database, shape);
}

function createCollection(database: Database, shape: TableShape): void {
  const table = tableOf(shape);
  database.exec(
    `CREATE TABLE IF NOT EXISTS ${table} (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL, ${BODY_SUM} INTEGER NOT NULL, ${ROW_SUM} INTEGER NOT NULL, body TEXT NOT NULL)`,
  );
  const present = new Set(columnsIn(database, table));
  for (const column of shape.columns) {
    // No type: numbers stay numbers, texts stay texts.
    if (column !== 'id' && !present.has(`c_${column}`))
      database.exec(`ALTER TABLE ${table} ADD COLUMN ${columnOf(column)}`);
  }
  // How many multi values a document has. Of a row that is older than the column: not known, so some.
  if (shape.multi.length > 0 && !present.has(MULTI_COUNT)) {
    database.exec(`ALTER TABLE ${table} ADD COLUMN ${MULTI_COUNT} INTEGER NOT NULL DEFAULT 1`);
  }
  dropFormerIndexes(database, shape);
  for (const index of shape.indexes) createIndex(database, shape, index);
  for (const column of shape.multi) createMulti(database, multiTableOf(shape, column));
}

/** What a former version declared costs each write, and nobody asks for it. */
function dropFormerIndexes(database: Database, { name, indexes }: TableShape): void {
  const declared = new Set(indexes.map((index) => indexName(name, index)));
  const sql = `SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND substr(name, 1, 2) = 'i_'`;
  const present = database.prepare(sql).all(`d_${name}`);
  for (const index of present) if (!declared.has(String(index.name))) database.exec(`DROP INDEX "${index.name}"`);
}

const indexName = (collection: string, { name }: Pick<IndexShape, 'name'>): string => `i_${collection}_${name}`;

/** Former versions stored some with more in each entry. */
function createIndex(
  database: Database,
  shape: TableShape,
  { name, columns, unique, seldomTied = false }: IndexShape,
): void {
  const endsInId = !unique && !seldomTied && columns.at(-1) !== 'id';
  const over = [...columns, ...(endsInId ? ['id'] : [])].map(columnOf).join(', ');
  const called = indexName(shape.name, { name });
  const first = columnOf(columns[0] ?? 'id');
  const sql = `CREATE ${unique ? 'UNIQUE ' : ''}INDEX "${called}" ON ${tableOf(shape)} (${over}) WHERE ${first} IS NOT NULL`;
  const present = database.prepare(`SELECT sql FROM sqlite_master WHERE type = 'index' AND name = ?`).get(called);
  if (present?.sql === sql) return;
  if (present !== undefined) database.exec(`DROP INDEX "${called}"`);
  database.exec(sql);
}

function createMulti(database: Database, table: string): void {
  database.exec(
    `CREATE TABLE IF NOT EXISTS ${table} (value TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (value, id)) WITHOUT ROWID`,
  );
  database.exec(`CREATE INDEX IF NOT EXISTS ${table.replace(/"$/, '_id"')} ON ${table} (id)`);
}
