import { messageOf } from '../../shared/errors.js';
import type { Scalar } from '../collection.js';
import type { Database, Statement } from '../sqlite.js';
import { commitSum, outcomeSum } from './checksum.js';
import { NamesFill } from './fill-names.js';
import type { HeadFile } from './head-file.js';
import type { CommitRecord, DocumentRecord } from './log.js';
import { type MetaKey, metaOf, writeMeta } from './meta.js';
import { piecesOf, RowsStatement } from './rows-statement.js';
import type { TableShape } from './schema.js';
import { TableWriter, type Written } from './table-writer.js';

const BEGIN_TRIES_MAX = 5;
const BEGIN_PAUSE_MS = 20;
/** Who copies the write-ahead log hears of groups alone: so many proofs on end, and the writer copies what they have left there, which is little. */
const PROBES_MAX = 100;
const pause = new Int32Array(new SharedArrayBuffer(4));

/** Filler of a replica that is made anew, within one transaction. */
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
  readonly #fills: readonly NamesFill[];
  readonly #insertCommit: RowsStatement;
  readonly #insertOutcome: Statement;
  /** The checksum of the newest commit, which the next one's is made from; null: not known. */
  #chain: number | null = null;
  readonly #head: HeadFile | null;
  #epoch = '';
  /** Since the last group. */
  #probes = 0;

  /** `head`: where the newest commit is told, too. */
  constructor(database: Database, shapes: readonly TableShape[], head: HeadFile | null = null) {
    this.#head = head;
    this.#database = database;
    this.#tables = new Map(shapes.map((shape) => [shape.name, new TableWriter(database, shape)]));
    this.#fills = shapes.map((shape) => new NamesFill(database, shape));
    this.#insertCommit = new RowsStatement(database, 'INSERT INTO commits (revision, id, at, events, sum, body)', 6);
    this.#insertOutcome = database.prepare(
      'INSERT OR REPLACE INTO outcome (id, at, revision, sum, body) VALUES (?, ?, ?, ?, ?)',
    );
  }

  /** Writes all of the group or nothing. */
  append(group: readonly CommitRecord[]): void {
    this.#probes = 0;
    this.#transaction(() => {
      this.#insertAll(group);
      // Table by table: what a table's statement and trees need is at hand from the second document on.
      for (const [name, written] of byCollection(group)) this.#tableOf(name).writeAll(written);
    });
    const newest = group.at(-1);
    if (this.#head === null || newest === undefined) return;
    this.#epoch ||= metaOf(this.#database, 'epoch') ?? '';
    this.#head.write({ epoch: this.#epoch, revision: newest.revision, commitId: newest.id });
  }

  /** Removes old commits (never the newest) and outcomes. */
  trim(revision: number, outcomesBefore: number): void {
    const old = 'FROM commits WHERE revision <= ? AND revision < (SELECT max(revision) FROM commits)';
    this.#transaction(() => {
      const last = this.#database.prepare(`SELECT revision, sum ${old} ORDER BY revision DESC LIMIT 1`).get(revision);
      if (last !== undefined) writeMeta(this.#database, 'base', `${last.revision} ${last.sum}`);
      this.#database.prepare(`DELETE ${old}`).run(revision);
      writeMeta(this.#database, 'trimmed', String(revision));
      this.#database.prepare('DELETE FROM outcome WHERE at < ?').run(outcomesBefore);
    });
  }

  /** Proves that the file takes writes. */
  probe(): void {
    this.#transaction(() => {
      this.#database.prepare(`INSERT OR REPLACE INTO meta VALUES ('probe', hex(randomblob(8)), 0)`).run();
    });
    this.#probes++;
    if (this.#probes % PROBES_MAX === 0) this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  }

  /**
   * Makes all anew within one transaction: everything that is there goes, and `fill` puts what comes instead, taking its time. Until it has
   * ended well, readers see what was there before.
   */
  async replaceAll(
    meta: Readonly<Partial<Record<MetaKey, string>>>,
    fill: (into: Replacing) => Promise<void>,
  ): Promise<void> {
    this.#begin();
    this.#chain = null;
    try {
      for (const table of ['commits', 'outcome']) this.#database.exec(`DELETE FROM ${table}`);
      for (const table of this.#tables.values()) table.removeAll();
      await fill({
        entry: (commit) => this.#insertEntries([commit]),
        commit: (commit) => this.#write(commit),
        outcome: ({ id, at, revision, body }) => this.#keepOutcome(id, at, revision, body),
        document: (document, revision) => this.#tables.get(document.collection)?.write(document, revision),
      });
      // What a former version wrote comes without some columns.
      for (const fill of this.#fills) fill.all();
      for (const [key, value] of Object.entries(meta)) writeMeta(this.#database, key as MetaKey, value);
      this.#database.exec('COMMIT');
    } catch (thrown) {
      this.#undo();
      throw thrown;
    }
  }

  /** Copies the whole file as it is now to where there is none yet. */
  copyTo(path: string): void {
    this.#database.prepare('VACUUM INTO ?').run(path);
  }

  close(): void {
    this.#head?.close();
    this.#database.close();
  }

  #write(commit: CommitRecord): void {
    this.#insertAll([commit]);
    for (const [name, written] of byCollection([commit])) this.#tableOf(name).writeAll(written);
  }

  #tableOf(collection: string): TableWriter {
    const table = this.#tables.get(collection);
    if (table === undefined) throw new Error(`no table for collection '${collection}'`);
    return table;
  }

  /** The commits' rows, and the kept outcomes. */
  #insertAll(commits: readonly CommitRecord[]): void {
    this.#insertEntries(commits);
    for (const { outcome, at, revision } of commits) {
      if (outcome !== null) this.#keepOutcome(outcome.id, at, revision, outcome.body);
    }
  }

  #keepOutcome(id: string, at: number, revision: number, body: string): void {
    this.#insertOutcome.run(id, at, revision, outcomeSum(id, at, revision, body), body);
  }

  #insertEntries(commits: readonly CommitRecord[]): void {
    let chain = this.#chain ?? this.#chainBefore(commits[0]?.revision ?? 0);
    for (const piece of piecesOf(commits)) {
      const values: Scalar[] = [];
      for (const commit of piece) {
        const { revision, id, at, events, body } = commit;
        chain = commitSum(chain, commit, body);
        values.push(revision, id, at, events, chain, body);
      }
      this.#insertCommit.run(piece.length, values);
    }
    this.#chain = chain;
  }

  /** The checksum that the chain goes on from; where there is no commit yet, one begins in front of this one. */
  #chainBefore(revision: number): number {
    const newest = this.#database.prepare('SELECT sum FROM commits ORDER BY revision DESC LIMIT 1').get();
    if (newest === undefined) writeMeta(this.#database, 'base', `${revision - 1} 0`);
    return Number(newest?.sum ?? 0);
  }

  #transaction(work: () => void): void {
    this.#begin();
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (thrown) {
      this.#undo();
      throw thrown;
    }
  }

  #undo(): void {
    this.#chain = null;
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
  }

  /** A checkpoint may hold the file for a moment beyond the connection's own patience. */
  #begin(): void {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK'); // one that could not be ended
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
