import type { Scalar } from '../collection.js';
import type { Database, Statement } from '../sqlite.js';

/** How many rows a statement may take at once: most of what it costs is the same for one row and for many. */
const SIZES = [16, 4, 1];

/** A statement that inserts rows, one or many at once. */
export class RowsStatement {
  // Referenced for as long as its statements: they die with it.
  readonly #database: Database;
  readonly #sqlOf: (rows: number) => string;
  /** By the number of rows; made when it is first needed, as most tables are hardly ever written. */
  readonly #statements: Statement[] = [];

  /** `insert`: the statement up to its rows, which have so many `columns`; `otherwise`: what follows them. */
  constructor(database: Database, insert: string, columns: number, otherwise = '') {
    this.#database = database;
    const row = `(${Array(columns).fill('?').join(', ')})`;
    this.#sqlOf = (rows) => `${insert} VALUES ${Array(rows).fill(row).join(', ')} ${otherwise}`;
    this.#statements[1] = database.prepare(this.#sqlOf(1));
  }

  /** Inserts as many rows as one of {@link piecesOf} has, one after the other; gives how many were inserted or changed. */
  run(rows: number, values: readonly Scalar[]): number {
    let statement = this.#statements[rows];
    if (statement === undefined) {
      statement = this.#database.prepare(this.#sqlOf(rows));
      this.#statements[rows] = statement;
    }
    return Number(statement.run(...values).changes);
  }
}

/** The list in pieces that a statement may take. */
export function piecesOf<T>(list: readonly T[]): (readonly T[])[] {
  const pieces: (readonly T[])[] = [];
  let at = 0;
  for (const size of SIZES) {
    for (; at + size <= list.length; at += size) pieces.push(list.slice(at, at + size));
  }
  return pieces;
}
