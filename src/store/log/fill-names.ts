import type { Document } from '../collection.js';
import { leanDocumentOf } from '../document-text.js';
import { namesAt } from '../principal/names-at.js';
import type { Database, Statement } from '../sqlite.js';
import { columnSeed, multiSeed, valueSum } from './checksum.js';
import { columnOf, MULTI_COUNT, multiTableOf, type NamedColumn, ROW_SUM, type TableShape, tableOf } from './schema.js';

/** How many rows one transaction looks at. */
const ROWS_MAX = 500;

interface Row {
  readonly n: number;
  readonly id: string;
  readonly body: string;
}

/** Fills the columns of names of principals of documents that were written before there were such columns. Done again, it changes nothing. */
export class NamesFill {
  readonly #rows: Statement;
  readonly #columns: readonly FilledColumn[];

  /** The tables are there. */
  constructor(database: Database, shape: TableShape) {
    this.#rows = database.prepare(`SELECT n, id, body FROM ${tableOf(shape)} WHERE n > ? ORDER BY n LIMIT ?`);
    this.#columns = (shape.named ?? []).map((named) => filledColumn(database, shape, named));
  }

  /** Fills all of them at once. */
  all(): void {
    for (let at: number | null = 0; at !== null; at = this.after(at));
  }

  /** Fills some rows behind row `n`; gives the last of them, or null when none is left. */
  after(n: number): number | null {
    if (this.#columns.length === 0) return null;
    const rows = this.#rows.all(n, ROWS_MAX) as unknown as Row[];
    for (const row of rows) {
      const document = readable(row);
      if (document !== undefined) for (const { paths, fill } of this.#columns) fill(row, namesIn(document, paths));
    }
    return rows.at(-1)?.n ?? null;
  }
}

const namesIn = (document: Document, paths: readonly string[]): string[] => [
  ...new Set(paths.flatMap((path) => namesAt(document, path))),
];

interface FilledColumn extends Pick<NamedColumn, 'paths'> {
  readonly fill: (row: Row, names: readonly string[]) => void;
}

/** The checksum of a row is a sum, to which each value adds its own. */
function filledColumn(database: Database, shape: TableShape, { column, isMulti, paths }: NamedColumn): FilledColumn {
  const added = (more: string) =>
    database.prepare(`UPDATE ${tableOf(shape)} SET ${ROW_SUM} = (${ROW_SUM} + ?) & 4294967295, ${more}`);
  if (isMulti) {
    const insert = database.prepare(`INSERT OR IGNORE INTO ${multiTableOf(shape, column)} (value, id) VALUES (?, ?)`);
    const count = added(`${MULTI_COUNT} = ${MULTI_COUNT} + 1 WHERE n = ?`);
    const fill = ({ n, id }: Row, names: readonly string[]) => {
      for (const name of names)
        if (Number(insert.run(name, id).changes) > 0) count.run(valueSum(multiSeed(column), name) >>> 0, n);
    };
    return { paths, fill };
  }
  const set = added(`${columnOf(column)} = ? WHERE n = ? AND ${columnOf(column)} IS NULL`);
  const fill = ({ n }: Row, [name]: readonly string[]) => {
    if (name !== undefined) set.run(valueSum(columnSeed(column), name) >>> 0, name, n);
  };
  return { paths, fill };
}

/** One that is damaged is left as it is: whoever reads it is told. */
function readable(row: Row): Document | undefined {
  try {
    return leanDocumentOf(row);
  } catch {
    return undefined;
  }
}
