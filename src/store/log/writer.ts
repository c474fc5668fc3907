import { messageOf } from '../../shared/errors.js';
import type { Scalar } from '../collection.js';
import type { Database, Statement } from '../sqlite.js';
import type { CommitRecord, DocumentRecord } from './log.js';
import { columnOf, MULTI_COUNT, multiTableOf, type TableShape, tableOf } from './schema.js';

const BEGIN_TRIES_MAX = 5;
const BEGIN_PAUSE_MS = 20;
const pause = new Int32Array(new SharedArrayBuffer(4));

/** What fills a replica that is made anew. */
export interface Replacing {
  /** A commit's entry in the feed alone. */
  entry(commit: CommitRecord): void;
  /** A commit with all that it wrote. */
  commit(commit: CommitRecord): void;
  outcome(kept: { readonly id: string; readonly at: number; readonly revision: number; readonly body: string }): void;
  /** A document as it is; of a collection that this server does not know it is passed over. */
  document(document: DocumentRecord, revision: number): void;
}

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
      for (const commit of group) this.#insert(commit);
      // Table by table, each in the group's order: what a table's statement and trees need is at hand from the second document on.
      for (const [name, written] of byCollection(group)) {
        const table = this.#tableOf(name);
        for (const { document, revision } of written) table.write(document, revision);
      }
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

  /**
   * Makes all anew within one transaction: everything that is there goes, and `fill` puts what comes instead, taking its time. Until it has
   * ended well, readers see what was there before.
   */
  async replaceAll(meta: Readonly<Record<string, string>>, fill: (into: Replacing) => Promise<void>): Promise<void> {
    this.#begin();
    try {
      for (const table of ['commits', 'outcome']) this.#database.exec(`DELETE FROM ${table}`);
      for (const table of this.#tables.values()) table.removeAll();
      await fill({
        entry: (commit) => this.#entry(commit),
        commit: (commit) => this.#write(commit),
        outcome: ({ id, at, revision, body }) => void this.#insertOutcome.run(id, at, revision, body),
        document: (document, revision) => this.#tables.get(document.collection)?.write(document, revision),
      });
      const insert = this.#database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)');
      for (const [key, value] of Object.entries(meta)) insert.run(key, value);
      this.#database.exec('COMMIT');
    } catch (thrown) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw thrown;
    }
  }

  /** Copies the whole file as it is now to where there is none yet. */
  copyTo(path: string): void {
    this.#database.prepare('VACUUM INTO ?').run(path);
  }

  close(): void {
    this.#database.close();
  }

  #write(commit: CommitRecord): void {
    this.#insert(commit);
    for (const document of commit.documents) this.#tableOf(document.collection).write(document, commit.revision);
  }

  #tableOf(collection: string): TableWriter {
    const table = this.#tables.get(collection);
    if (table === undefined) throw new Error(`no table for collection '${collection}'`);
    return table;
  }

  /** The commit's row, and the kept outcome. */
  #insert(commit: CommitRecord): void {
    const { outcome } = commit;
    this.#entry(commit);
    if (outcome !== null) this.#insertOutcome.get(outcome.id, commit.at, commit.revision, outcome.body);
  }

  // `get` where nobody asks what `run` would tell: making that costs as much as a small statement.
  #entry({ revision, id, at, events, body }: CommitRecord): void {
    this.#insertCommit.get(revision, id, at, events, body);
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

interface Written {
  readonly document: DocumentRecord;
  readonly revision: number;
}

/** The documents of a group by their collections. */
function byCollection(group: readonly CommitRecord[]): Map<string, Written[]> {
  const all = new Map<string, Written[]>();
  for (const { documents, revision } of group) {
    for (const document of documents) {
      const written = all.get(document.collection);
      if (written === undefined) all.set(document.collection, [{ document, revision }]);
      else written.push({ document, revision });
    }
  }
  return all;
}

class TableWriter {
  readonly #database: Database;
  readonly #removeAll: readonly string[];
  /**
   * Writes a document that is new, or whose steady columns are as they were (indexes over these alone are left alone) and that had no multi
   * values; else it changes nothing.
   */
  readonly #write: Statement;
  readonly #overwrite: Statement;
  /** Whether `#write` writes whatever it is given. */
  readonly #writesAll: boolean;
  readonly #remove: Statement;
  /** As `#remove`, of a document without multi values alone. */
  readonly #removePlain: Statement | null;
  readonly #multi: readonly MultiWriter[];

  constructor(database: Database, shape: TableShape) {
    this.#database = database;
    const tables = [tableOf(shape), ...shape.multi.map((column) => multiTableOf(shape, column))];
    this.#removeAll = tables.map((name) => `DELETE FROM ${name}`);
    const table = tableOf(shape);
    const hasMulti = shape.multi.length > 0;
    const names = ['id', 'revision', 'body', ...(hasMulti ? [MULTI_COUNT] : []), ...shape.columns.map(columnOf)];
    const insert = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
    const update = (changing: readonly string[]) =>
      `${insert} ON CONFLICT (id) DO UPDATE SET ${changing.map((name) => `${name} = excluded.${name}`).join(', ')}`;
    const steady = shape.steady.map(columnOf);
    const same = steady.map((name) => `${table}.${name} IS excluded.${name}`);
    const unless = [...same, ...(hasMulti ? [`${table}.${MULTI_COUNT} = 0`] : [])].join(' AND ');
    const changing = names.slice(1).filter((name) => !steady.includes(name));
    this.#write = database.prepare(`${update(changing)}${unless && ` WHERE ${unless}`}`);
    this.#overwrite = database.prepare(update(names.slice(1)));
    this.#writesAll = unless === '';
    const remove = `DELETE FROM ${table} WHERE id = ?`;
    this.#remove = database.prepare(remove);
    this.#removePlain = hasMulti ? database.prepare(`${remove} AND ${MULTI_COUNT} = 0`) : null;
    this.#multi = shape.multi.map((column) => ({
      insert: database.prepare(`INSERT OR IGNORE INTO ${multiTableOf(shape, column)} (value, id) VALUES (?, ?)`),
      clear: database.prepare(`DELETE FROM ${multiTableOf(shape, column)} WHERE id = ?`),
    }));
  }

  removeAll(): void {
    for (const sql of this.#removeAll) this.#database.exec(sql);
  }

  write({ id, body, columns, multi }: DocumentRecord, revision: number): void {
    if (body === null) this.#erase(id);
    else if (this.#multi.length === 0) this.#put([id, revision, body, ...columns]);
    else {
      const count = multi.reduce((sum, values) => sum + values.length, 0);
      if (this.#put([id, revision, body, count, ...columns])) this.#clear(id);
      if (count > 0) this.#fill(id, multi);
    }
  }

  /** Gives whether there may have been multi values. */
  #put(values: Scalar[]): boolean {
    if (this.#writesAll) {
      this.#write.get(...values);
      return false;
    }
    if (Number(this.#write.run(...values).changes) > 0) return false;
    this.#overwrite.get(...values);
    return true;
  }

  #erase(id: string): void {
    if (this.#removePlain === null) this.#remove.get(id);
    else if (Number(this.#removePlain.run(id).changes) === 0 && Number(this.#remove.run(id).changes) > 0) {
      this.#clear(id);
    }
  }

  #clear(id: string): void {
    for (const { clear } of this.#multi) clear.run(id);
  }

  #fill(id: string, multi: DocumentRecord['multi']): void {
    this.#multi.forEach(({ insert }, i) => {
      for (const value of multi[i] ?? []) insert.run(value, id);
    });
  }
}

interface MultiWriter {
  readonly insert: Statement;
  readonly clear: Statement;
}
