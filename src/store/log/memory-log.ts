import { unavailable } from '../../shared/errors.js';
import type { Database } from '../sqlite.js';
import type { CommitRecord, Log } from './log.js';
import type { TableShape } from './schema.js';
import { LogWriter } from './writer.js';

/** A log that lasts as long as the process: the same tables in an in-memory database, written on the caller's thread. For tests and benches. */
export class MemoryLog implements Log {
  readonly #writer: LogWriter;
  #closed = false;

  constructor(database: Database, shapes: readonly TableShape[]) {
    this.#writer = new LogWriter(database, shapes);
  }

  async append(group: readonly CommitRecord[]): Promise<void> {
    if (this.#closed) throw unavailable('the log is closed');
    this.#writer.append(group);
  }

  async trim(revision: number, outcomesBefore: number): Promise<void> {
    this.#writer.trim(revision, outcomesBefore);
  }

  async recover(): Promise<void> {
    this.#writer.probe();
  }

  async probe(): Promise<void> {
    this.#writer.probe();
  }

  async close(): Promise<void> {
    this.#closed = true;
  }
}
