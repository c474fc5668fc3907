import { Worker, type WorkerOptions } from 'node:worker_threads';

/** A thread, as whoever started it sees it. */
export interface ThreadPort {
  /** Sends it a message: plain data, copied. Of one that has gone nobody hears. */
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Told once it has gone, with the reason, and all that it had open is closed; it comes with no message after that. */
  onExit(listener: (reason: Error) => void): void;
  /** Whether it keeps the process alive. */
  hold(isHeld: boolean): void;
  /** Ends it wherever it is. Not for one that has SQLite open: it would take the process with it. */
  terminate(): void;
}

/** A thread of Node's that runs the module. */
export function workerThread(url: URL, options: WorkerOptions = {}): ThreadPort {
  const worker = new Worker(url, options);
  let reason = new Error('the thread has ended');
  // It has not gone yet: what it had open is closed on its way to the exit.
  worker.on('error', (error) => {
    reason = error;
  });
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => void worker.on('message', listener),
    onExit: (listener) => void worker.on('exit', () => listener(reason)),
    hold: (isHeld) => {
      if (isHeld) worker.ref();
      else worker.unref();
    },
    terminate: () => void worker.terminate(),
  };
}
