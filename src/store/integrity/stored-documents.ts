import type { Collection, Document, Scalar } from '../collection.js';
import { documentOf, type Stored } from '../document-text.js';
import { columnOf, tableOf } from '../log/schema.js';
import type { Database } from '../sqlite.js';
import { CachedStatements } from '../statements.js';
import { snapshot } from './check-commits.js';

/** How many documents one read takes: each is compared with others of the same revision. */
const PAGE = 100;

/** The documents of a `log.db`, for whoever compares them with one another. What cannot be read is not there: its checksum tells of it. */
export class StoredDocuments {
  readonly #database: Database;
  readonly #statements: CachedStatements;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = new CachedStatements(database);
  }

  /** Whether there is a table of the collection: a partition that was not opened since a collection is new has none. */
  knows({ name }: Pick<Collection<Document>, 'name'>): boolean {
    const find = this.#statements.prepare('SELECT 1 AS one FROM sqlite_master WHERE name = ?');
    return find.get(`d_${name}`) !== undefined;
  }

  has(collection: Pick<Collection<Document>, 'name'>, id: string): boolean {
    return this.#statements.prepare(`SELECT 1 AS one FROM ${tableOf(collection)} WHERE id = ?`).get(id) !== undefined;
  }

  get<T extends Document>(collection: Collection<T>, id: string): T | undefined {
    const row = this.#statements.prepare(`SELECT body FROM ${tableOf(collection)} WHERE id = ?`).get(id);
    return row === undefined ? undefined : readable(collection, { id, body: String(row.body) });
  }

  /** The ids of documents whose columns have these values. */
  having(collection: Pick<Collection<Document>, 'name'>, columns: Readonly<Record<string, Scalar>>): string[] {
    const where = Object.keys(columns).map((column) => `${columnOf(column)} = ?`);
    const find = this.#statements.prepare(
      `SELECT id FROM ${tableOf(collection)} WHERE ${where.join(' AND ')} ORDER BY n`,
    );
    return find.all(...Object.values(columns)).map(({ id }) => String(id));
  }

  /** Hands each document to `check`, which sees others of the same revision. Yields between pages. */
  *each<T extends Document>(collection: Collection<T>, check: (document: T) => void): Generator<void> {
    if (!this.knows(collection)) return;
    const read = this.#database.prepare(
      `SELECT n, id, body FROM ${tableOf(collection)} WHERE n > ? ORDER BY n LIMIT ?`,
    );
    for (let last = 0; ; ) {
      const rows = snapshot(this.#database, () => {
        const found = read.all(last, PAGE);
        for (const { id, body } of found) {
          const document = readable(collection, { id: String(id), body: String(body) });
          if (document !== undefined) check(document);
        }
        return found;
      });
      if (rows.length === 0) return;
      last = Number(rows.at(-1)?.n);
      yield;
    }
  }
}

function readable<T extends Document>(collection: Collection<T>, stored: Stored): T | undefined {
  try {
    return documentOf(collection, stored);
  } catch {
    return undefined;
  }
}
