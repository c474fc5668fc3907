import { statSync } from 'node:fs';
import type { Database } from '../sqlite.js';

/** From this size on, a write-ahead log is copied into its database without hindering anyone. */
const PASSIVE_BYTES = 16 * 1024 * 1024;
/** From this size on, writers wait for a moment so that it can begin anew: under load without pause it would never end otherwise. */
const TRUNCATE_BYTES = 64 * 1024 * 1024;
/** The file keeps its size when it begins anew, so the size alone would ask for a checkpoint after every batch. */
const BETWEEN_MS = 1_000;

/** Keeps one write-ahead log short, through a connection that may write. */
export class Checkpointer {
  readonly #database: Database;
  readonly #path: string;
  #last = 0;

  /** `database`: a connection to `path`; it must not be within a transaction when it is asked. */
  constructor(database: Database, path: string) {
    this.#database = database;
    this.#path = `${path}-wal`;
    // Whoever would be waited for is found gone the next time; waiting would hold up writers meanwhile.
    database.exec('PRAGMA busy_timeout=0');
  }

  /** Between batches. `now`: ms of a clock that never goes back. */
  whileBusy(now: number): void {
    const bytes = this.#bytes();
    if (bytes < PASSIVE_BYTES || now - this.#last < BETWEEN_MS) return;
    this.#last = now;
    this.#checkpoint('PASSIVE');
    if (bytes >= TRUNCATE_BYTES) this.#checkpoint('TRUNCATE');
  }

  /** When nothing is being written. False: somebody still reads or writes, so it is to be tried again. */
  whenIdle(): boolean {
    return this.#bytes() === 0 || this.#checkpoint('TRUNCATE');
  }

  #bytes(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  #checkpoint(mode: 'PASSIVE' | 'TRUNCATE'): boolean {
    return this.#database.prepare(`PRAGMA wal_checkpoint(${mode})`).get()?.busy === 0;
  }
}
