import { messageOf } from '../../shared/errors.js';
import type { Database, Statement } from '../sqlite.js';
import type { CommitRecord, DocumentRecord } from './log.js';
import { columnOf, multiTableOf, type TableShape, tableOf } from './schema.js';

const BEGIN_TRIES_MAX = 5;
const BEGIN_PAUSE_MS = 20;
const pause = new Int32Array(new SharedArrayBuffer(4));

/** Writes groups of commits into `log.db`: one transaction, so one fsync, per group. */
export class LogWriter {
  // Referenced for as long as its statements: they die with it.
  readonly #database: Database;
  readonly #tables: Map<string, TableWriter>;
  readonly #insertCommit: Statement;
  readonly #insertOutcome: Statement;

  constructor(database: Database, shapes: readonly TableShape[]) {
    this.#database = database;
    this.#tables = new Map(shapes.map((shape) => [shape.name, new TableWriter(database, shape)]));
    this.#insertCommit = database.prepare(
      'INSERT INTO commits (revision, id, at, events, body) VALUES (?, ?, ?, ?, ?)',
    );
    this.#insertOutcome = database.prepare(
      'INSERT OR REPLACE INTO outcome (id, at, revision, body) VALUES (?, ?, ?, ?)',
    );
  }

  /** Writes all of the group or nothing. */
  append(group: readonly CommitRecord[]): void {
    this.#transaction(() => {
      for (const commit of group) this.#write(commit);
    });
  }

  /** Removes old commits (never the newest) and outcomes. */
  trim(revision: number, outcomesBefore: number): void {
    this.#transaction(() => {
      this.#database
        .prepare('DELETE FROM commits WHERE revision <= ? AND revision < (SELECT max(revision) FROM commits)')
        .run(revision);
      this.#database.prepare(`INSERT OR REPLACE INTO meta VALUES ('trimmed', ?)`).run(String(revision));
      this.#database.prepare('DELETE FROM outcome WHERE at < ?').run(outcomesBefore);
    });
  }

  /** Proves that the file takes writes again. */
  probe(): void {
    this.#transaction(() => {
      this.#database.prepare(`INSERT OR REPLACE INTO meta VALUES ('probe', hex(randomblob(8)))`).run();
    });
  }

  close(): void {
    this.#database.close();
  }

  #write(commit: CommitRecord): void {
    this.#insertCommit.run(commit.revision, commit.id, commit.at, commit.events, commit.body);
    if (commit.outcome !== null) {
      this.#insertOutcome.run(commit.outcome.id, commit.at, commit.revision, commit.outcome.body);
    }
    for (const document of commit.documents) {
      const table = this.#tables.get(document.collection);
      if (table === undefined) throw new Error(`no table for collection '${document.collection}'`);
      table.write(document, commit.revision);
    }
  }

  #transaction(work: () => void): void {
    this.#begin();
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (thrown) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw thrown;
    }
  }

  /** A checkpoint may hold the file for a moment beyond the connection's own patience. */
  #begin(): void {
    for (let tries = 1; ; tries++) {
      try {
        this.#database.exec('BEGIN IMMEDIATE');
        return;
      } catch (thrown) {
        if (tries === BEGIN_TRIES_MAX || !/database is locked/.test(messageOf(thrown))) throw thrown;
        Atomics.wait(pause, 0, 0, BEGIN_PAUSE_MS);
      }
    }
  }
}

class TableWriter {
  /** Writes a new document, or one whose steady columns are as they were: indexes over these alone are left alone. Else it changes nothing. */
  readonly #write: Statement;
  readonly #overwrite: Statement | null;
  readonly #remove: Statement;
  readonly #multi: readonly { readonly insert: Statement; readonly clear: Statement }[];

  constructor(database: Database, shape: TableShape) {
    const columns = shape.columns.map(columnOf);
    const names = ['id', 'revision', 'body', ...columns];
    const steady = new Set(shape.steady.map(columnOf));
    const table = tableOf(shape);
    const insert = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) ON CONFLICT (id) DO UPDATE SET`;
    const updates = (changing: readonly string[]) => changing.map((name) => `${name} = excluded.${name}`).join(', ');
    const same = [...steady].map((name) => `${table}.${name} IS excluded.${name}`).join(' AND ');
    const changing = names.slice(1).filter((name) => !steady.has(name));
    this.#write = database.prepare(`${insert} ${updates(changing)}${same && ` WHERE ${same}`}`);
    this.#overwrite = same === '' ? null : database.prepare(`${insert} ${updates(names.slice(1))}`);
    this.#remove = database.prepare(`DELETE FROM ${tableOf(shape)} WHERE id = ?`);
    this.#multi = shape.multi.map((column) => ({
      insert: database.prepare(`INSERT OR IGNORE INTO ${multiTableOf(shape, column)} (value, id) VALUES (?, ?)`),
      clear: database.prepare(`DELETE FROM ${multiTableOf(shape, column)} WHERE id = ?`),
    }));
  }

  write({ id, body, columns, multi }: DocumentRecord, revision: number): void {
    if (body === null) this.#remove.run(id);
    else if (Number(this.#write.run(id, revision, body, ...columns).changes) === 0) {
      this.#overwrite?.run(id, revision, body, ...columns);
    }
    this.#multi.forEach(({ insert, clear }, i) => {
      clear.run(id);
      for (const value of multi[i] ?? []) insert.run(value, id);
    });
  }
}
