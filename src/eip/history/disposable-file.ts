import { existsSync, rmSync, statSync } from 'node:fs';
import { messageOf } from '../../shared/errors.js';
import { CachedStatements, isDamage, openDatabase } from '../../store/files.js';

interface DisposableFileOptions {
  readonly path: string;
  /** Raised when the tables are others; what another form has kept is thrown away. */
  readonly format: number;
  /** SQL that makes them. */
  readonly tables: string;
  /** SQL for each connection. */
  readonly pragmas: string;
  /** Told why a file was thrown away. */
  readonly onDamage: (reason: string) => void;
  /** Told that there is nothing in it: a new one was begun. */
  readonly begun: () => void;
}

/** A database that is no truth: where it is damaged, gone, or of another form, it is thrown away, and another one is begun. */
export class DisposableFile {
  readonly #options: DisposableFileOptions;
  /** Undefined: it could not be begun anew as yet. */
  #file: CachedStatements | undefined;
  /** Which file it is, of those that may be at its path one after the other. */
  #inode = 0n;

  constructor(options: DisposableFileOptions) {
    this.#options = options;
    this.#file = this.#open();
  }

  /** @throws where it cannot be begun anew */
  get statements(): CachedStatements {
    this.#file ??= this.#create();
    return this.#file;
  }

  /** Works with the file; where it turns out to be damaged, the same is done in another one. */
  sound<T>(work: () => T): T {
    this.#requireThere();
    try {
      return work();
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
      this.#throwAway(messageOf(thrown));
      return work();
    }
  }

  /** Does all of it, or nothing. */
  atomically(work: () => void): void {
    const file = this.statements;
    file.prepare('BEGIN IMMEDIATE').run();
    try {
      work();
      file.prepare('COMMIT').run();
    } catch (thrown) {
      if (file.database.isTransaction) file.prepare('ROLLBACK').run();
      throw thrown;
    }
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  /** What is written to a file that was removed would be gone with this connection. */
  #requireThere(): void {
    if (this.#file === undefined || inodeOf(this.#options.path) === this.#inode) return;
    this.#throwAway('it is not there any more');
  }

  #throwAway(reason: string): void {
    this.#options.onDamage(reason);
    this.close();
    this.#file = this.#create();
  }

  #open(): CachedStatements {
    const { path, format } = this.#options;
    if (!existsSync(path)) return this.#create();
    let file: CachedStatements | undefined;
    try {
      file = new CachedStatements(openDatabase(path));
      if (Number(file.prepare('PRAGMA user_version').get()?.user_version) === format) return this.#tuned(file);
    } catch (thrown) {
      file?.close();
      if (!isDamage(thrown)) throw thrown;
      this.#options.onDamage(messageOf(thrown));
      return this.#create();
    }
    file.close();
    return this.#create();
  }

  #create(): CachedStatements {
    const { path, format, tables, begun } = this.#options;
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    begun();
    const file = this.#tuned(new CachedStatements(openDatabase(path)));
    try {
      file.database.exec(`BEGIN IMMEDIATE; ${tables} PRAGMA user_version = ${format}; COMMIT;`);
    } catch (thrown) {
      file.close();
      throw thrown;
    }
    return file;
  }

  #tuned(file: CachedStatements): CachedStatements {
    const { path, pragmas } = this.#options;
    file.database.exec(pragmas);
    this.#inode = inodeOf(path);
    return file;
  }
}

/** 0: there is none. */
const inodeOf = (path: string): bigint => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? 0n;
