import { Worker, type WorkerOptions } from 'node:worker_threads';

/** A thread, as whoever started it sees it. */
export interface ThreadPort {
  /** Sends it a message: plain data, copied. */
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Told once it has gone, with the reason; it comes with no message after that. */
  onExit(listener: (reason: string) => void): void;
  /** Whether it keeps the process alive. */
  hold(isHeld: boolean): void;
}

/** A thread of Node's that runs the module. */
export function workerThread(url: URL, options: WorkerOptions): ThreadPort {
  const worker = new Worker(url, options);
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => void worker.on('message', listener),
    onExit: (listener) => {
      let isTold = false;
      const tell = (reason: string) => {
        if (!isTold) listener(reason);
        isTold = true;
      };
      worker.on('error', ({ message }) => tell(message));
      worker.on('exit', () => tell('it ended'));
    },
    hold: (isHeld) => {
      if (isHeld) worker.ref();
      else worker.unref();
    },
  };
}
