import type { Scalar } from '../collection.js';
import { isConstraint } from '../damage.js';
import type { Database, Statement } from '../sqlite.js';
import { bodySum, columnSeed, multiSeed, rowSum, valueSum } from './checksum.js';
import type { DocumentRecord } from './log.js';
import { piecesOf, RowsStatement } from './rows-statement.js';
import {
  BODY_SUM,
  columnOf,
  columnsIn,
  MULTI_COUNT,
  multiTableOf,
  ROW_SUM,
  type TableShape,
  tableOf,
} from './schema.js';

/** A document, and the commit that wrote or removed it. */
export interface Written {
  readonly document: DocumentRecord;
  readonly revision: number;
}

/** Writes the documents of one collection into its tables. */
export class TableWriter {
  readonly #database: Database;
  readonly #removeAll: readonly string[];
  /**
   * Writes documents that are new, or whose steady columns are as they were (indexes over these alone are left alone) and that had no multi
   * values; of others it changes nothing.
   */
  readonly #write: RowsStatement;
  readonly #overwrite: RowsStatement;
  readonly #remove: Statement;
  /** As `#remove`, where the document has no multi values; null: none has. */
  readonly #removePlain: Statement | null;
  readonly #multi: readonly MultiWriter[];
  /** Where the stored columns stand in the collection, and their seeds. The id is stored once. */
  readonly #stored: readonly { readonly position: number; readonly seed: number }[];
  readonly #multiSeeds: readonly number[];
  /** Take a document out of each unique index, until it is written anew. None: what one document has, another one may have, too. */
  readonly #vacate: readonly Statement[];

  constructor(database: Database, shape: TableShape) {
    this.#database = database;
    const tables = [tableOf(shape), ...shape.multi.map((column) => multiTableOf(shape, column))];
    this.#removeAll = tables.map((name) => `DELETE FROM ${name}`);
    const table = tableOf(shape);
    const hasMulti = shape.multi.length > 0;
    const sums = [BODY_SUM, ROW_SUM];
    const stored = shape.columns.filter((name) => name !== 'id');
    const own = stored.map(columnOf);
    const names = ['id', 'revision', ...sums, 'body', ...(hasMulti ? [MULTI_COUNT] : []), ...own];
    // A column that the collection had in an earlier version holds nothing of what is written now.
    const former = columnsIn(database, table)
      .filter((name) => name.startsWith('c_') && !own.includes(`"${name}"`))
      .map((name) => `"${name}" = NULL`);
    const update = (changing: readonly string[], condition = '') => {
      const set = [...changing.map((name) => `${name} = excluded.${name}`), ...former].join(', ');
      const otherwise = `ON CONFLICT (id) DO UPDATE SET ${set}${condition && ` WHERE ${condition}`}`;
      return new RowsStatement(database, `INSERT INTO ${table} (${names.join(', ')})`, names.length, otherwise);
    };
    const steady = shape.steady.map(columnOf);
    const same = steady.map((name) => `${table}.${name} IS excluded.${name}`);
    const changing = names.slice(1).filter((name) => !steady.includes(name));
    this.#write = update(changing, [...same, ...(hasMulti ? [`${table}.${MULTI_COUNT} = 0`] : [])].join(' AND '));
    this.#overwrite = update(names.slice(1));
    this.#remove = database.prepare(`DELETE FROM ${table} WHERE id = ?`);
    this.#removePlain = hasMulti ? database.prepare(`DELETE FROM ${table} WHERE id = ? AND ${MULTI_COUNT} = 0`) : null;
    this.#multi = shape.multi.map((column) => ({
      insert: database.prepare(`INSERT OR IGNORE INTO ${multiTableOf(shape, column)} (value, id) VALUES (?, ?)`),
      clear: database.prepare(`DELETE FROM ${multiTableOf(shape, column)} WHERE id = ?`),
    }));
    this.#stored = stored.map((name) => ({ position: shape.columns.indexOf(name), seed: columnSeed(name) }));
    this.#multiSeeds = shape.multi.map(multiSeed);
    // A document whose first column is null is in no index.
    this.#vacate = shape.indexes
      .filter(({ unique }) => unique)
      .map(({ columns }) => database.prepare(`UPDATE ${table} SET ${columnOf(columns[0] ?? '')} = NULL WHERE id = ?`));
  }

  removeAll(): void {
    for (const sql of this.#removeAll) this.#database.exec(sql);
  }

  /** Writes and removes what one transaction does, in its order: of a document that occurs several times the last counts. */
  writeAll(written: readonly Written[]): void {
    if (this.#vacate.length > 0) return this.#writeUnique(written);
    if (written.length === 1) return this.#writeInOrder(written);
    for (const piece of piecesOf(this.#eraseRemoved(written))) this.#writePiece(piece);
  }

  /** Where documents of one commit take from each other what only one may have, each gives up what it has first. */
  #writeUnique(written: readonly Written[]): void {
    try {
      this.#writeInOrder(written);
    } catch (thrown) {
      if (!isConstraint(thrown)) throw thrown;
      const left = this.#eraseRemoved(written);
      for (const { document } of left) for (const statement of this.#vacate) statement.run(document.id);
      this.#writeInOrder(left);
    }
  }

  #writeInOrder(written: readonly Written[]): void {
    for (const { document, revision } of written) this.write(document, revision);
  }

  /** Gives the documents that stay, each once. */
  #eraseRemoved(written: readonly Written[]): readonly Written[] {
    const last = new Map<string, Written>();
    for (const one of written) last.set(one.document.id, one);
    const left: Written[] = [];
    for (const one of last.values()) {
      if (one.document.body === null) this.#erase(one.document.id);
      else left.push(one);
    }
    return left;
  }

  write(document: DocumentRecord, revision: number): void {
    if (document.body === null) this.#erase(document.id);
    else this.#writeOne({ document, revision });
  }

  #writePiece(piece: readonly Written[]): void {
    if (piece.length > 1 && this.#write.run(piece.length, this.#valuesOf(piece)) === piece.length) {
      for (const { document } of piece) this.#fill(document);
      return;
    }
    // Those that were written are so once more: what comes of it is the same.
    for (const one of piece) this.#writeOne(one);
  }

  #writeOne(one: Written): void {
    const values = this.#valuesOf([one]);
    if (this.#write.run(1, values) === 0) {
      this.#overwrite.run(1, values);
      this.#clear(one.document.id); // there may have been some
    }
    this.#fill(one.document);
  }

  #valuesOf(piece: readonly Written[]): Scalar[] {
    const values: Scalar[] = [];
    for (const { document, revision } of piece) {
      const { id, body } = document;
      const ofBody = bodySum(id, body ?? '');
      values.push(id, revision, ofBody, rowSum(ofBody, revision, this.#sumOf(document)), body);
      if (this.#multi.length > 0) values.push(countOf(document.multi));
      for (const { position } of this.#stored) values.push(document.columns[position] ?? null);
    }
    return values;
  }

  #sumOf({ columns, multi }: DocumentRecord): number {
    let sum = 0;
    for (const { position, seed } of this.#stored) sum += valueSum(seed, columns[position] ?? null);
    for (let i = 0; i < multi.length; i++) {
      const values = multi[i] ?? [];
      const seed = this.#multiSeeds[i] ?? 0;
      // Each is kept once.
      for (const value of values.length > 1 ? new Set(values) : values) sum += valueSum(seed, value);
    }
    return sum;
  }

  #erase(id: string): void {
    if (this.#removePlain === null) this.#remove.run(id);
    else if (Number(this.#removePlain.run(id).changes) === 0 && Number(this.#remove.run(id).changes) > 0) {
      this.#clear(id);
    }
  }

  #clear(id: string): void {
    for (const { clear } of this.#multi) clear.run(id);
  }

  #fill({ id, multi }: DocumentRecord): void {
    for (let i = 0; i < multi.length; i++) {
      for (const value of multi[i] ?? []) this.#multi[i]?.insert.run(value, id);
    }
  }
}

function countOf(multi: DocumentRecord['multi']): number {
  let count = 0;
  for (const values of multi) count += values.length;
  return count;
}

interface MultiWriter {
  readonly insert: Statement;
  readonly clear: Statement;
}
