import { statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, unavailable } from '../../shared/errors.js';
import { isDamage } from '../damage.js';
import { partitionFolder } from '../data-folder.js';
import { type Database, openDatabase, releaseClosed } from '../sqlite.js';
import { CachedStatements, type Prepared } from '../statements.js';
import { defineFunctions } from './condition-sql.js';
import type { NativeGuard } from './native-guard.js';
import { guardedStatement } from './native-guard.js';

/** The databases of one partition, open for reading. */
export interface PartitionFiles {
  readonly log: CachedStatements;
  /** Null when there is none (yet). @throws IndexDamaged, once for each damaged index */
  readonly index: () => CachedStatements | null;
}

/** How many partitions one thread keeps open; the one that was not read for longest is closed first. */
const PARTITIONS_MAX = 32;

interface Open {
  /** The file's identity: a path may be that of another one later. */
  readonly file: string;
  /** Null: it is an index that is damaged, and not looked at again until there is another. */
  readonly statements: CachedStatements | null;
}

/** An `index.db` cannot be read. It holds nothing that the log has not, so another one is made. */
export class IndexDamaged extends Error {
  override readonly name = 'IndexDamaged';
}

const readingIndex = <T>(read: () => T): T => {
  try {
    return read();
  } catch (thrown) {
    throw isDamage(thrown) ? new IndexDamaged(messageOf(thrown)) : thrown;
  }
};

/** Statements of an `index.db`. @throws IndexDamaged */
class IndexStatements extends CachedStatements {
  override prepare(sql: string): Prepared {
    return readingIndex(() => super.prepare(sql));
  }
}

/** Opens partitions when they are first read, and again when a file was replaced by another: a rebuilt index, a replica made anew. */
export class OpenPartitions {
  readonly #dataFolder: string;
  readonly #guard: NativeGuard;
  readonly #open = new Map<string, Map<string, Open>>();
  /** How many gave way to others since those that are closed were released. */
  #closed = 0;

  constructor(dataFolder: string, guard: NativeGuard) {
    this.#dataFolder = dataFolder;
    this.#guard = guard;
  }

  /** @throws UNAVAILABLE when the partition has no `log.db` here */
  of(partition: string): PartitionFiles {
    const folder = partitionFolder(this.#dataFolder, partition);
    const files = this.#open.get(partition) ?? new Map<string, Open>();
    this.#open.delete(partition); // and to the end again: the first is the one not read for longest
    this.#open.set(partition, files);
    if (this.#open.size > PARTITIONS_MAX) this.#makeRoom();
    const log = this.#current(files, join(folder, 'log.db'), (path) => this.#read(path));
    if (log === null)
      throw unavailable(`expected the replica of partition '${partition}' on this server, but it is not here`);
    return { log, index: () => this.#current(files, join(folder, 'index.db'), (path) => this.#readIndex(path)) };
  }

  /** The partition's index is as good as none, until there is another. */
  passOverIndex(partition: string): void {
    const path = join(partitionFolder(this.#dataFolder, partition), 'index.db');
    const files = this.#open.get(partition);
    files?.get(path)?.statements?.close();
    files?.set(path, { file: fileAt(path) ?? '', statements: null });
  }

  /** Nobody reads the partition any more. */
  forget(partition: string): void {
    this.close(partition);
    releaseClosed();
  }

  close(partition: string): void {
    for (const { statements } of this.#open.get(partition)?.values() ?? []) statements?.close();
    this.#open.delete(partition);
  }

  closeAll(): void {
    for (const partition of [...this.#open.keys()]) this.close(partition);
  }

  #makeRoom(): void {
    this.close(this.#open.keys().next().value ?? '');
    if (++this.#closed < PARTITIONS_MAX) return;
    this.#closed = 0;
    releaseClosed();
  }

  #current(files: Map<string, Open>, path: string, read: (path: string) => CachedStatements): CachedStatements | null {
    const file = fileAt(path);
    const known = files.get(path);
    if (known !== undefined && known.file === file) return known.statements;
    known?.statements?.close();
    files.delete(path);
    if (file === undefined) return null;
    const statements = this.#guard.run(() => read(path));
    files.set(path, { file, statements });
    return statements;
  }

  #read(path: string): CachedStatements {
    return new CachedStatements(this.#database(path), (statement) => guardedStatement(statement, this.#guard));
  }

  #readIndex(path: string): CachedStatements {
    const guard = { run: <T>(call: () => T): T => readingIndex(() => this.#guard.run(call)) };
    const database = readingIndex(() => this.#database(path));
    return new IndexStatements(database, (statement) => guardedStatement(statement, guard));
  }

  #database(path: string): Database {
    const database = openDatabase(path, { readOnly: true });
    defineFunctions(database);
    return database;
  }
}

/** Identity of the file that lies there: a number may be given again, but not at the same time. */
function fileAt(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.ino} ${found.birthtimeMs}`;
}
