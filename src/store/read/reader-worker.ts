import { Worker } from 'node:worker_threads';
import { newStopFlag, stopThread } from './native-guard.js';
import type { Forget, ReaderThreadData, Reply, Stop, Work } from './reader-message.js';

/** The main thread's side of one reader thread. It runs one work at a time; more would only wait there instead of here. */
export class ReaderWorker {
  readonly #worker: Worker;
  readonly #stopFlag = newStopFlag();
  readonly #ended: Promise<void>;
  #settle: { resolve(reply: Reply): void; reject(thrown: unknown): void } | null = null;

  /** `onEnd`: called once when the thread has ended, by itself or because it was told to. */
  constructor(data: Omit<ReaderThreadData, 'stopFlag'>, onEnd: () => void) {
    this.#worker = new Worker(new URL('./reader-thread.js', import.meta.url), {
      workerData: { ...data, stopFlag: this.#stopFlag } satisfies ReaderThreadData,
      name: 'reader',
    });
    // A thread that waits keeps no process alive; the deadline of what it runs does.
    this.#worker.unref();
    this.#worker.on('message', (reply: Reply) => this.#take()?.resolve(reply));
    this.#worker.on('error', (thrown) => this.#take()?.reject(thrown));
    this.#ended = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#take()?.reject(new Error('the reader thread ended while it ran a query'));
        onEnd();
        resolve();
      });
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

  /** Ends the thread. What it runs is given up at once; the promise resolves when it has ended, which it does as soon as SQLite returns. */
  end(reason: Error): Promise<void> {
    this.#take()?.reject(reason);
    stopThread(this.#stopFlag);
    this.#worker.postMessage({ kind: 'stop' } satisfies Stop);
    return this.#ended;
  }

  #take() {
    const settle = this.#settle;
    this.#settle = null;
    return settle;
  }
}
