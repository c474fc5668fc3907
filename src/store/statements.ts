import type { Database, Statement } from './sqlite.js';

/** Prepares each SQL text once: what reading and projecting code is given of a database. */
export interface Statements {
  /** The statement of the text; the same text gives the same statement again. Never keep it beyond the call that was handed this. */
  prepare(sql: string): Statement;
}

/** How many statements one connection keeps; the one that was prepared first goes first. */
const STATEMENTS_MAX = 256;

/** A database whose statements are prepared once. Holds the database, as statements must not outlive it. */
export class CachedStatements implements Statements {
  readonly database: Database;
  readonly #known = new Map<string, Statement>();

  constructor(database: Database) {
    this.database = database;
  }

  prepare(sql: string): Statement {
    const known = this.#known.get(sql);
    if (known !== undefined) return known;
    const statement = this.database.prepare(sql);
    if (this.#known.size >= STATEMENTS_MAX) this.#known.delete(this.#known.keys().next().value ?? '');
    this.#known.set(sql, statement);
    return statement;
  }

  /** Runs `work` in one read transaction: all it reads is of one revision. */
  snapshot<T>(work: () => T): T {
    this.prepare('BEGIN').run();
    try {
      return work();
    } finally {
      // Ended at once, whatever happened: an open one would hold the write-ahead log.
      this.prepare('ROLLBACK').run();
    }
  }

  close(): void {
    this.#known.clear();
    this.database.close();
  }
}
