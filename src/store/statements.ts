import type { ServiceError } from '../shared/errors.js';
import { isDamaged, readFault } from './damage.js';
import type { Database, Statement } from './sqlite.js';

/** A prepared statement. Never keep it beyond the call that was handed its {@link Statements}. */
export type Prepared = Pick<Statement, 'all' | 'get' | 'run' | 'iterate'>;

/** Prepares each SQL text once: what reading and projecting code is given of a database. */
export interface Statements {
  /** The statement of the text; the same text gives the same statement again, so don't iterate over one within itself. */
  prepare(sql: string): Prepared;
}

/** How many statements one connection keeps; the one that was prepared first goes first. */
const STATEMENTS_MAX = 256;

/** A database whose statements are prepared once. Holds the database, as statements must not outlive it. */
export class CachedStatements implements Statements {
  readonly database: Database;
  readonly #wrap: (statement: Statement) => Prepared;
  readonly #known = new Map<string, Prepared>();

  /** `wrap`: what is to be put around each statement. */
  constructor(database: Database, wrap: (statement: Statement) => Prepared = (statement) => statement) {
    this.database = database;
    this.#wrap = wrap;
  }

  prepare(sql: string): Prepared {
    const known = this.#known.get(sql);
    if (known !== undefined) return known;
    const statement = this.#wrap(this.database.prepare(sql));
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

/** A statement that reads. */
export type Reading = Pick<Prepared, 'get' | 'all'>;

/** A statement that says in our words where the file is found unsound, and tells of it. @throws DATA_DAMAGED, as each of its calls does */
export function toldStatement(database: Statements, sql: string, onDamage: (damage: ServiceError) => void): Reading {
  const fault = (thrown: unknown) => {
    const told = readFault(thrown);
    if (isDamaged(told)) onDamage(told);
    return told;
  };
  try {
    const statement = database.prepare(sql);
    return {
      get: (...values) => {
        try {
          return statement.get(...values);
        } catch (thrown) {
          throw fault(thrown);
        }
      },
      all: (...values) => {
        try {
          return statement.all(...values);
        } catch (thrown) {
          throw fault(thrown);
        }
      },
    };
  } catch (thrown) {
    throw fault(thrown);
  }
}
