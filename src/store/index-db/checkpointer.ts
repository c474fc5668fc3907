import { statSync } from 'node:fs';
import { systemTime } from '../../shared/time.js';
import type { Database } from '../sqlite.js';

/** From this size on, a write-ahead log is copied into its database without hindering anyone. */
const PASSIVE_BYTES = 4 * 1024 * 1024;
/** From this size on, writers wait for a moment so that it can begin anew: under load without pause it would never end otherwise. */
const TRUNCATE_BYTES = 64 * 1024 * 1024;
/** The file keeps its size when it begins anew, so the size alone would ask for a checkpoint after every batch. */
const BETWEEN_MS = 250;
/** Where checkpoints take long, they take at most such a part of the time. */
const PART_MAX = 1 / 5;
/**
 * What was written during a copy is copied behind it, so often: only a log of which everything is copied begins anew. One that does lies in
 * blocks and in memory that are there already, and to flush it costs a third less.
 */
const COPIES_MAX = 4;

/** Keeps one write-ahead log short, through a connection that may write. */
export class Checkpointer {
  readonly #database: Database;
  readonly #path: string;
  #next = 0;

  /** `database`: a connection to `path`; it must not be within a transaction when it is asked. */
  constructor(database: Database, path: string) {
    this.#database = database;
    this.#path = `${path}-wal`;
    // Whoever would be waited for is found gone the next time; waiting would hold up writers meanwhile.
    database.exec('PRAGMA busy_timeout=0');
  }

  /** Between batches. `now`: ms of a clock that never goes back. */
  whileBusy(now: number): void {
    if (now < this.#next) return;
    const bytes = this.#bytes();
    if (bytes < PASSIVE_BYTES) return;
    const begun = systemTime.monotonic();
    for (let copies = 1; copies <= COPIES_MAX && !this.#copy(); copies++);
    if (bytes >= TRUNCATE_BYTES) this.#truncate();
    this.#next = now + Math.max(BETWEEN_MS, (systemTime.monotonic() - begun) / PART_MAX);
  }

  /** When nothing is being written. False: somebody still reads or writes, so it is to be tried again. */
  whenIdle(): boolean {
    return this.#bytes() === 0 || this.#truncate();
  }

  #bytes(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Whether everything is copied. */
  #copy(): boolean {
    const copied = this.#database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
    return copied?.log === copied?.checkpointed;
  }

  #truncate(): boolean {
    return this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
  }
}
