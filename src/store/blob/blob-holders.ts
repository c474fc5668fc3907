import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { unavailable } from '../../shared/errors.js';
import { isPartition, partitionFolder } from '../data-folder.js';
import { type AnyCollection, multiTableOf } from '../log/schema.js';
import { type Database, openDatabase, type Statement } from '../sqlite.js';

/** The multi column by which a document says which blobs it holds. */
export const BLOB_COLUMN = 'blob';

/**
 * Which blobs the documents of a data folder hold: those of all partitions, open or not, as a blob is shared by all. What was not durable when
 * it is asked is not seen, so only blobs that were not written or touched lately may be judged by it.
 */
export class BlobHolders {
  readonly #partitions: readonly Holder[];

  private constructor(partitions: readonly Holder[]) {
    this.#partitions = partitions;
  }

  /**
   * Looks into every partition of the folder. `collections`: all that declare a multi column {@link BLOB_COLUMN} count.
   * `known`: partitions that there are, whether they have ever been opened in this folder. What one holds whose log is elsewhere is not known here.
   * @throws when one cannot be read, or is not here: then nothing is known, and nothing may be removed
   */
  static open(dataFolder: string, collections: readonly AnyCollection[], known: readonly string[] = []): BlobHolders {
    for (const partition of known) {
      const path = join(partitionFolder(dataFolder, partition), 'log.db');
      if (!existsSync(path)) throw unavailable(`expected ${path}, to know which blobs it holds, but it is not here`);
    }
    const holding = collections.filter(({ multi }) => BLOB_COLUMN in multi);
    const opened: Holder[] = [];
    try {
      for (const path of logsIn(dataFolder)) opened.push(holderOf(openDatabase(path, { readOnly: true }), holding));
      return new BlobHolders(opened);
    } catch (thrown) {
      for (const { database } of opened) database.close();
      throw thrown;
    }
  }

  /** Whether a document of any partition holds the blob. */
  holds(sha256: string): boolean {
    return this.#partitions.some(({ find, tables }) => find?.get(...Array(tables).fill(sha256)) !== undefined);
  }

  close(): void {
    for (const { database } of this.#partitions) database.close();
  }
}

interface Holder {
  // Referenced for as long as its statement.
  readonly database: Database;
  /** One statement over all tables, so that what moves from one to the other in a commit is never in none. Null: there is no table. */
  readonly find: Statement | null;
  readonly tables: number;
}

function logsIn(dataFolder: string): string[] {
  const folders = readdirSync(dataFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders
    .filter(({ name }) => isPartition(name))
    .map(({ name }) => join(dataFolder, name, 'log.db'))
    .filter((path) => existsSync(path));
}

function holderOf(database: Database, collections: readonly AnyCollection[]): Holder {
  try {
    // A partition that was not opened since a collection is new has no table of it.
    const present = new Set(
      database
        .prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`)
        .all()
        .map(({ name }) => `"${String(name)}"`),
    );
    const tables = collections.map((one) => multiTableOf(one, BLOB_COLUMN)).filter((table) => present.has(table));
    const sql = tables.map((table) => `SELECT 1 FROM ${table} WHERE value = ?`).join(' UNION ALL ');
    const find = tables.length === 0 ? null : database.prepare(`${sql} LIMIT 1`);
    return { database, find, tables: tables.length };
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}
