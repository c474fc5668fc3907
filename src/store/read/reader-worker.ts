import { type ThreadPort, workerThread } from '../../shared/thread.js';
import { newStopFlag, stopThread } from './native-guard.js';
import type { Forget, ReaderThreadData, Reply, Stop, Task } from './reader-message.js';

/** The main thread's side of one reader thread. It runs one work at a time; more would only wait there instead of here. */
export class ReaderWorker {
  readonly #thread: ThreadPort;
  readonly #stopFlag = newStopFlag();
  readonly #ended: Promise<void>;
  #settle: { resolve(reply: Reply): void; reject(thrown: unknown): void } | null = null;

  /** `onEnd`: called once when the thread has ended, by itself or because it was told to. */
  constructor(data: Omit<ReaderThreadData, 'stopFlag'>, onEnd: () => void) {
    this.#thread = workerThread(new URL('./reader-thread.js', import.meta.url), {
      workerData: { ...data, stopFlag: this.#stopFlag } satisfies ReaderThreadData,
      name: 'reader',
    });
    // A thread that waits keeps no process alive; the deadline of what it runs does.
    this.#thread.hold(false);
    this.#thread.onMessage((reply) => this.#take()?.resolve(reply as Reply));
    this.#ended = new Promise((resolve) => {
      this.#thread.onExit((reason) => {
        this.#take()?.reject(reason);
        onEnd();
        resolve();
      });
    });
  }

  run(task: Task): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#thread.post(task);
    });
  }

  tell(message: Forget): void {
    this.#thread.post(message);
  }

  /** Ends the thread. What it runs is given up at once; the promise resolves when it has ended, which it does as soon as SQLite returns. */
  end(reason: Error): Promise<void> {
    this.#take()?.reject(reason);
    stopThread(this.#stopFlag);
    this.#thread.post({ kind: 'stop' } satisfies Stop);
    return this.#ended;
  }

  #take() {
    const settle = this.#settle;
    this.#settle = null;
    return settle;
  }
}
