import type { Scalar } from './collection.js';
import { type AnyCollection, columnOf, multiTableOf, tableOf } from './log/schema.js';
import type { FindOptions } from './state.js';
import type { Prepared, Statements } from './statements.js';

/** A document as the replica holds it, with its values for the columns of the index by which it was found. */
export interface Row {
  readonly id: string;
  readonly body: string;
  readonly key: readonly Scalar[];
}

/** A commit as the feed keeps it. */
export interface CommitRow {
  readonly revision: number;
  readonly id: string;
  /** ms, domain clock */
  readonly at: number;
  readonly body: string;
}

/** A database as far as it is read. */
export interface ReadDatabase extends Statements {
  close(): void;
}

/** Reads `log.db` on the main thread: point reads and small ranges, always the newest durable state. */
export class Replica {
  // Referenced for as long as its statements: they die with it.
  readonly #database: ReadDatabase;
  readonly #statements = new Map<string, Prepared>();

  constructor(database: ReadDatabase) {
    this.#database = database;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  /** The newest durable revision; 0 before the first commit. */
  revision(): number {
    const row = this.#prepare('SELECT max(revision) AS revision FROM commits').get() as { revision: number | null };
    return Math.max(row.revision ?? 0, Number(this.meta('trimmed') ?? 0));
  }

  /** When the newest commit was decided: ms, domain clock; 0 before the first. */
  lastCommitAt(): number {
    const row = this.#prepare('SELECT at FROM commits ORDER BY revision DESC LIMIT 1').get() as
      | { at: number }
      | undefined;
    return row?.at ?? 0;
  }

  meta(key: string): string | undefined {
    const row = this.#prepare('SELECT value FROM meta WHERE key = ?').get(key) as { value: string } | undefined;
    return row?.value;
  }

  body(collection: AnyCollection, id: string): string | undefined {
    const row = this.#prepare(`SELECT body FROM ${tableOf(collection)} WHERE id = ?`).get(id) as
      | { body: string }
      | undefined;
    return row?.body;
  }

  /** Documents whose first columns of the index equal `prefix`. */
  find(
    collection: AnyCollection,
    columns: readonly string[],
    prefix: readonly Scalar[],
    { limit, descending = false, from }: FindOptions & { readonly limit: number },
  ): Row[] {
    const equal = prefix.map((_, i) => `${columnOf(columns[i] ?? '')} = ?`);
    const values = [...prefix];
    if (from !== undefined) {
      equal.push(`${columnOf(columns[prefix.length] ?? 'id')} ${descending ? '<=' : '>='} ?`);
      values.push(from);
    }
    return this.#rows(collection, columns, equal.join(' AND '), [...values, limit], descending);
  }

  /** Documents in the index's order from `from` on. */
  range(collection: AnyCollection, columns: readonly string[], from: readonly Scalar[], limit: number): Row[] {
    const names = columns.slice(0, from.length).map(columnOf);
    const where = `(${names.join(', ')}) >= (${names.map(() => '?').join(', ')})`;
    return this.#rows(collection, columns, where, [...from, limit]);
  }

  findMulti(collection: AnyCollection, column: string, value: string, limit: number): Row[] {
    const sql = `SELECT d.id, d.body FROM ${multiTableOf(collection, column)} m JOIN ${tableOf(collection)} d ON d.id = m.id WHERE m.value = ? ORDER BY m.id LIMIT ?`;
    return (this.#prepare(sql).all(value, limit) as unknown as { id: string; body: string }[]).map((row) => ({
      ...row,
      key: [],
    }));
  }

  /** The kept outcome of a client's command. */
  outcome(commandId: string): string | undefined {
    const row = this.#prepare('SELECT body FROM outcome WHERE id = ?').get(commandId) as { body: string } | undefined;
    return row?.body;
  }

  commitId(revision: number): string | undefined {
    const row = this.#prepare('SELECT id FROM commits WHERE revision = ?').get(revision) as { id: string } | undefined;
    return row?.id;
  }

  /** Commits with events after `revision`, oldest first. */
  commitsAfter(revision: number, limit: number): CommitRow[] {
    const sql =
      'SELECT revision, id, at, body FROM commits WHERE revision > ? AND events > 0 ORDER BY revision LIMIT ?';
    return this.#prepare(sql).all(revision, limit) as unknown as CommitRow[];
  }

  #rows(
    collection: AnyCollection,
    columns: readonly string[],
    where: string,
    values: readonly Scalar[],
    descending = false,
  ): Row[] {
    const names = columns.map(columnOf);
    const first = names[0] ?? 'id';
    const order = [...names, 'id'].map((name) => (descending ? `${name} DESC` : name)).join(', ');
    const sql = `SELECT id, body, ${names.map((name, i) => `${name} AS k${i}`).join(', ')} FROM ${tableOf(collection)} WHERE ${where} AND ${first} IS NOT NULL ORDER BY ${order} LIMIT ?`;
    const rows = this.#prepare(sql).all(...values) as unknown as (Record<string, Scalar> & {
      id: string;
      body: string;
    })[];
    return rows.map((row) => ({ id: row.id, body: row.body, key: names.map((_, i) => row[`k${i}`] ?? null) }));
  }

  #prepare(sql: string): Prepared {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
