import { Worker } from 'node:worker_threads';
import { newGuardState, stopThread } from './native-guard.js';
import type { Forget, ReaderThreadData, Reply, Work } from './reader-message.js';

/** The main thread's side of one reader thread. It runs one work at a time; more would only wait there instead of here. */
export class ReaderWorker {
  readonly #worker: Worker;
  readonly #guardState = newGuardState();
  #settle: { resolve(reply: Reply): void; reject(thrown: unknown): void } | null = null;

  /** `onEnd`: called once when the thread has ended, by itself or because it was told to. */
  constructor(data: Omit<ReaderThreadData, 'guardState'>, onEnd: () => void) {
    this.#worker = new Worker(new URL('./reader-thread.js', import.meta.url), {
      workerData: { ...data, guardState: this.#guardState } satisfies ReaderThreadData,
      name: 'reader',
    });
    // A thread that waits keeps no process alive; the deadline of what it runs does.
    this.#worker.unref();
    this.#worker.on('message', (reply: Reply) => {
      if (reply.kind === 'stopped') void this.#worker.terminate();
      else this.#take()?.resolve(reply);
    });
    this.#worker.on('error', (thrown) => this.#take()?.reject(thrown));
    this.#worker.on('exit', () => {
      this.#take()?.reject(new Error('the reader thread ended while it ran a query'));
      onEnd();
    });
  }

  run(work: Work): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#worker.postMessage(work);
    });
  }

  tell(message: Forget): void {
    this.#worker.postMessage(message);
  }

  /** Ends the thread. What it runs is given up at once; the thread itself ends when SQLite returns. */
  end(reason: Error): void {
    this.#take()?.reject(reason);
    if (stopThread(this.#guardState)) void this.#worker.terminate();
  }

  #take() {
    const settle = this.#settle;
    this.#settle = null;
    return settle;
  }
}
