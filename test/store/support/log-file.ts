import type { AnyCollection } from '../../../src/store/log/schema.js';
import { columnOf, createTables, multiTableOf, shapeOf, tableOf } from '../../../src/store/log/schema.js';
import { type Database, openDatabase } from '../../../src/store/sqlite.js';

interface AnyDocument {
  readonly id: string;
}

/** One document of a commit: written, or (without `document`) removed. */
export interface Change {
  readonly collection: AnyCollection;
  readonly id: string;
  readonly document?: AnyDocument;
}

/** A `log.db` that a test fills with plain SQL, as the writer would. */
export class LogFile {
  readonly database: Database;
  #revision: number;

  constructor(path: string, collections: readonly AnyCollection[], epoch = 'epoch-1') {
    this.database = openDatabase(path);
    // Tests have no power cuts; an fsync per commit would only slow them down.
    this.database.exec('PRAGMA synchronous=OFF');
    createTables(this.database, collections.map(shapeOf));
    this.database.prepare("INSERT OR IGNORE INTO meta VALUES ('epoch', ?)").run(epoch);
    this.#revision = Number(this.database.prepare('SELECT max(revision) AS r FROM commits').get()?.r ?? 0);
  }

  get revision(): number {
    return this.#revision;
  }

  put(collection: AnyCollection, ...documents: AnyDocument[]): number {
    return this.commit(documents.map((document) => ({ collection, id: document.id, document })));
  }

  remove(collection: AnyCollection, ...ids: string[]): number {
    return this.commit(ids.map((id) => ({ collection, id })));
  }

  /** One commit in one transaction; gives its revision. */
  commit(changes: readonly Change[]): number {
    this.#revision++;
    this.database.exec('BEGIN IMMEDIATE');
    for (const change of changes) this.#write(change);
    const docs = changes.map(({ collection, id }) => [collection.name, id]);
    const body = JSON.stringify({ events: [], docs, cause: {}, userId: 'ann', type: 'test' });
    this.database
      .prepare('INSERT INTO commits (revision, id, at, events, body) VALUES (?, ?, ?, 0, ?)')
      .run(this.#revision, `commit-${this.#revision}`, this.#revision, body);
    this.database.exec('COMMIT');
    return this.#revision;
  }

  /** Forgets the commits up to a revision, as the feed's retention does. */
  trim(upTo: number): void {
    this.database.prepare('DELETE FROM commits WHERE revision <= ?').run(upTo);
  }

  setEpoch(epoch: string): void {
    this.database.prepare("UPDATE meta SET value = ? WHERE key = 'epoch'").run(epoch);
  }

  close(): void {
    this.database.close();
  }

  #write({ collection, id, document }: Change): void {
    for (const column of Object.keys(collection.multi)) {
      this.database.prepare(`DELETE FROM ${multiTableOf(collection, column)} WHERE id = ?`).run(id);
    }
    if (document === undefined) {
      this.database.prepare(`DELETE FROM ${tableOf(collection)} WHERE id = ?`).run(id);
      return;
    }
    const columns = Object.entries(collection.columns);
    const names = ['id', 'revision', 'body', ...columns.map(([name]) => columnOf(name))];
    const updates = names.slice(1).map((name) => `${name} = excluded.${name}`);
    this.database
      .prepare(
        `INSERT INTO ${tableOf(collection)} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
         ON CONFLICT (id) DO UPDATE SET ${updates.join(', ')}`,
      )
      .run(id, this.#revision, JSON.stringify(document), ...columns.map(([, of]) => of(document)));
    for (const [column, of] of Object.entries(collection.multi)) {
      const insert = this.database.prepare(`INSERT INTO ${multiTableOf(collection, column)} VALUES (?, ?)`);
      for (const value of new Set(of(document))) insert.run(value, id);
    }
  }
}
