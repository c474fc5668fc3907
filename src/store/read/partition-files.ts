import { statSync } from 'node:fs';
import { join } from 'node:path';
import { unavailable } from '../../shared/errors.js';
import { partitionFolder } from '../partition-folder.js';
import { openDatabase } from '../sqlite.js';
import { isDamage } from '../sqlite-error.js';
import { CachedStatements } from '../statements.js';
import { defineFunctions } from './condition-sql.js';
import { guardedStatement } from './guarded-statement.js';
import type { NativeGuard } from './native-guard.js';

/** The databases of one partition, open for reading. */
export interface PartitionFiles {
  readonly log: CachedStatements;
  /** Null when there is none (yet). */
  readonly index: CachedStatements | null;
}

/** How many partitions one thread keeps open; the one that was not read for longest is closed first. */
const PARTITIONS_MAX = 32;

interface Open {
  readonly inode: number;
  readonly statements: CachedStatements;
}

/** Opens partitions when they are first read, and again when a file was replaced by another: a rebuilt index, a replica made anew. */
export class OpenPartitions {
  readonly #dataFolder: string;
  readonly #guard: NativeGuard;
  readonly #open = new Map<string, Map<string, Open>>();

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
    if (this.#open.size > PARTITIONS_MAX) this.close(this.#open.keys().next().value ?? '');
    const log = this.#current(files, join(folder, 'log.db'));
    if (log === null)
      throw unavailable(`expected the replica of partition '${partition}' on this server, but it is not here`);
    return { log, index: this.#index(files, join(folder, 'index.db')) };
  }

  /** One that is damaged is as good as none: the indexer makes another. */
  #index(files: Map<string, Open>, path: string): CachedStatements | null {
    try {
      return this.#current(files, path);
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
      return null;
    }
  }

  close(partition: string): void {
    for (const { statements } of this.#open.get(partition)?.values() ?? []) statements.close();
    this.#open.delete(partition);
  }

  closeAll(): void {
    for (const partition of [...this.#open.keys()]) this.close(partition);
  }

  #current(files: Map<string, Open>, path: string): CachedStatements | null {
    const inode = statSync(path, { throwIfNoEntry: false })?.ino;
    const known = files.get(path);
    if (known !== undefined && known.inode === inode) return known.statements;
    known?.statements.close();
    files.delete(path);
    if (inode === undefined) return null;
    const statements = this.#guard.run(() => this.#read(path));
    files.set(path, { inode, statements });
    return statements;
  }

  #read(path: string): CachedStatements {
    const database = openDatabase(path, { readOnly: true });
    defineFunctions(database);
    return new CachedStatements(database, (statement) => guardedStatement(statement, this.#guard));
  }
}
