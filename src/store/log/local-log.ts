import { Worker } from 'node:worker_threads';
import { unavailable } from '../../shared/errors.js';
import { type CommitRecord, type Log, LogBroken } from './log.js';
import type { TableShape } from './schema.js';
import type { WriterReply, WriterRequest } from './writer-thread.js';

/** The embedded log: SQLite, written by a thread of its own. A commit is the transaction on `log.db`. */
export class LocalLog implements Log {
  readonly system = 'sqlite';
  readonly #path: string;
  readonly #shapes: readonly TableShape[];
  readonly #waiting = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  #worker: Worker;
  #next = 0;
  #closed = false;

  /** `path`: an existing `log.db` with all tables. */
  constructor(path: string, shapes: readonly TableShape[]) {
    this.#path = path;
    this.#shapes = shapes;
    this.#worker = this.#spawn();
  }

  append(group: readonly CommitRecord[]): Promise<void> {
    return this.#request((id) => ({ type: 'append', id, group }));
  }

  trim(revision: number, outcomesBefore: number): Promise<void> {
    return this.#request((id) => ({ type: 'trim', id, revision, outcomesBefore }));
  }

  /** The thread is replaced: what it had not begun cannot land any more. */
  async recover(): Promise<void> {
    const old = this.#worker;
    await ended(old);
    this.#lose(old, 'it was replaced');
    this.#worker = this.#spawn();
    await this.probe();
  }

  probe(): Promise<void> {
    return this.#request((id) => ({ type: 'probe', id }));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    await this.#request((id) => ({ type: 'close', id }));
    this.#closed = true;
    await ended(this.#worker);
  }

  #spawn(): Worker {
    const worker = new Worker(new URL('./writer-thread.js', import.meta.url), {
      workerData: { path: this.#path, shapes: this.#shapes },
    });
    worker.on('message', (reply: WriterReply) => this.#settle(reply));
    worker.on('error', (error) => this.#lose(worker, error.message));
    worker.on('exit', () => this.#lose(worker, 'it ended'));
    return worker;
  }

  #request(make: (id: number) => WriterRequest): Promise<void> {
    if (this.#closed) return Promise.reject(unavailable('the log is closed'));
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage(make(id));
    });
  }

  #settle({ id, error }: WriterReply): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    // A port hands over up to 1,000 messages before the event loop goes on, those that came meanwhile included: what is appended in answer
    // to a reply would keep timers and sockets waiting for as long as there is work.
    if (error === undefined) setImmediate(() => waiting?.resolve());
    else
      waiting?.reject(error.broken ? new LogBroken(error.message) : unavailable(`the log refused: ${error.message}`));
  }

  #lose(worker: Worker, message: string): void {
    if (worker !== this.#worker) return;
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of lost) reject(unavailable(`the log's writer is gone: ${message}`));
  }
}

/** The thread ends by itself once it has closed its file: a thread that is terminated within SQLite takes the process with it. */
function ended(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    if (worker.threadId === -1) return resolve();
    worker.once('exit', () => resolve());
    worker.postMessage({ type: 'close', id: -1 } satisfies WriterRequest);
  });
}
