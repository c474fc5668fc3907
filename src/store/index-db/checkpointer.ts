import { statSync } from 'node:fs';
import { systemTime } from '../../shared/time.js';
import type { Database } from '../sqlite.js';

/** From so much on that was written since it began anew, a write-ahead log is copied into its database. */
const COPY_BYTES = 6 * 1024 * 1024;
/** From this size on, the file is cut, for which writers and readers are waited for. */
const TRUNCATE_BYTES = 64 * 1024 * 1024;
const BETWEEN_MS = 250;
/** Where checkpoints take long, they take at most such a part of the time. */
const PART_MAX = 1 / 5;
/** What was written during a copy is copied behind it, so often, while nobody is hindered. */
const COPIES_MAX = 4;
/** As little as that is left to the copy for which writers wait. */
const REST_FRAMES = 64;
/** How long that one waits for a writer to end its transaction. */
const PATIENCE_MS = 3;
/** A page, with what stands before it. */
const FRAME_BYTES = 4_096 + 24;

/**
 * Keeps one write-ahead log short, through a connection that may write. Only a log of which everything is copied begins anew, and one that does
 * lies in blocks and in memory that are there already: a commit of a single caller, who writes again as soon as he is answered, takes less than
 * two thirds of the time in it.
 */
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
    // The file keeps its size when it begins anew.
    if (bytes < COPY_BYTES || this.#checkpoint('NOOP').written * FRAME_BYTES < COPY_BYTES) return;
    const begun = systemTime.monotonic();
    this.#copy();
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

  /** Copies all, where nothing much is written meanwhile. */
  #copy(): void {
    let left = Number.POSITIVE_INFINITY;
    for (let copies = 0; copies < COPIES_MAX && left > REST_FRAMES; copies++) {
      this.#checkpoint('PASSIVE');
      // It tells of what was there when it began.
      left = this.#checkpoint('NOOP').left;
    }
    if (left === 0 || left > REST_FRAMES) return;
    // Whoever writes without pause has always written a little more.
    this.#database.exec(`PRAGMA busy_timeout=${PATIENCE_MS}`);
    this.#checkpoint('FULL');
    this.#database.exec('PRAGMA busy_timeout=0');
  }

  #truncate(): boolean {
    return !this.#checkpoint('TRUNCATE').isBusy;
  }

  /** Gives how many pages are written in the log, and how many of them are not copied. */
  #checkpoint(mode: 'NOOP' | 'PASSIVE' | 'FULL' | 'TRUNCATE'): { written: number; left: number; isBusy: boolean } {
    const { log, checkpointed, busy } = this.#database.prepare(`PRAGMA wal_checkpoint(${mode})`).get() ?? {};
    return { written: Number(log), left: Number(log) - Number(checkpointed), isBusy: busy !== 0 };
  }
}
