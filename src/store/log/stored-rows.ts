import type { Scalar } from '../collection.js';
import type { Database, Statement } from '../sqlite.js';
import { bodySum, columnSeed, multiSeed, rowSum, valueSum } from './checksum.js';
import { BODY_SUM, columnsIn, MULTI_COUNT, ROW_SUM } from './schema.js';

/** How many rows, and characters of them, are read at a time. */
const ROWS_MAX = 500;
const CHARACTERS_MAX = 4_194_304;

/** A row of a collection's table as it is found, with the checksums that it ought to have. */
export interface StoredRow {
  readonly n: number;
  readonly id: string;
  readonly revision: number;
  readonly body: string;
  /** How many values its multi columns have. */
  readonly values: number;
  /** How many values they had when it was written; null: the collection has no such columns. */
  readonly valuesWritten: number | null;
  readonly found: RowSums;
  readonly expected: RowSums;
}

interface RowSums {
  readonly body: number;
  readonly row: number;
}

/** The collections that a `log.db` has tables of, whether this server knows them or not. */
export const storedCollections = (database: Database): string[] =>
  database
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 2) = 'd_' ORDER BY name`)
    .all()
    .map((row) => String(row.name).slice(2));

/** Reads the rows of one collection's table as they are, with whatever columns it has. To be let go before the database is closed. */
export class StoredRows {
  readonly #columns: readonly (readonly [name: string, seed: number])[];
  readonly #multi: readonly { readonly seed: number; readonly values: Statement }[];
  readonly #hasCount: boolean;
  readonly #read: Statement;

  constructor(database: Database, collection: string) {
    const table = `"d_${collection}"`;
    const names = columnsIn(database, table);
    this.#hasCount = names.includes(MULTI_COUNT);
    this.#columns = names.filter((name) => name.startsWith('c_')).map((name) => [name, columnSeed(name.slice(2))]);
    this.#multi = multiTablesOf(database, collection).map((name) => ({
      seed: multiSeed(name.slice(`m_${collection}_`.length)),
      values: database.prepare(`SELECT value FROM "${name}" WHERE id = ?`),
    }));
    this.#read = database.prepare(`SELECT * FROM ${table} WHERE n > ? ORDER BY n LIMIT ?`);
  }

  /** Some of the rows behind row `n`, in their order; none: that was all. One short read. */
  after(n: number): StoredRow[] {
    const rows: StoredRow[] = [];
    let characters = 0;
    for (const row of this.#read.iterate(n, ROWS_MAX)) {
      const stored = this.#rowOf(row as Readonly<Record<string, Scalar>>);
      rows.push(stored);
      characters += stored.body.length;
      if (characters >= CHARACTERS_MAX) break;
    }
    return rows;
  }

  #rowOf(row: Readonly<Record<string, Scalar>>): StoredRow {
    const [id, body, revision] = [String(row.id), String(row.body), Number(row.revision)];
    let sum = 0;
    for (const [name, seed] of this.#columns) sum += valueSum(seed, row[name] ?? null);
    let count = 0;
    for (const { seed, values } of this.#multi) {
      for (const { value } of values.all(id)) {
        sum += valueSum(seed, String(value));
        count++;
      }
    }
    const ofBody = bodySum(id, body);
    return {
      ...{ n: Number(row.n), id, revision, body },
      values: count,
      valuesWritten: this.#hasCount ? Number(row[MULTI_COUNT]) : null,
      found: { body: Number(row[BODY_SUM]), row: Number(row[ROW_SUM]) },
      expected: { body: ofBody, row: rowSum(ofBody, revision, sum) },
    };
  }
}

/** The tables of a collection's multi columns. */
export const multiTablesOf = (database: Database, collection: string): string[] =>
  database
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, ?) = ?`)
    .all(collection.length + 3, `m_${collection}_`)
    .map((row) => String(row.name));
