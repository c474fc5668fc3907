/**
 * Knows whether a thread is inside SQLite. A thread that is ended there takes the whole process with it: the binding's calls into a terminated
 * thread throw where nothing can catch. So it is ended only while it runs JavaScript, and cannot enter SQLite any more once that is decided.
 */
const IN_SCRIPT = 0;
const IN_SQLITE = 1;
const STOPPED = 2;
const STOP_ON_RETURN = 3;

/** The memory that both sides share; a thread begins inside, as loading the binding is native too. */
export function newGuardState(): Int32Array {
  const state = new Int32Array(new SharedArrayBuffer(4));
  state[0] = IN_SQLITE;
  return state;
}

/** The main thread's side: stops the thread. True: it may be terminated now. False: it says so itself when SQLite has returned. */
export function stopThread(state: Int32Array): boolean {
  for (;;) {
    const before = Atomics.load(state, 0);
    if (before === STOPPED) return true;
    if (before === STOP_ON_RETURN) return false;
    const after = before === IN_SCRIPT ? STOPPED : STOP_ON_RETURN;
    if (Atomics.compareExchange(state, 0, before, after) === before) return after === STOPPED;
  }
}

/** The thread's side. */
export class NativeGuard {
  readonly #state: Int32Array;
  readonly #onStop: () => void;

  /** `onStop`: tells the main thread that this one may be terminated now. */
  constructor(state: Int32Array, onStop: () => void) {
    this.#state = state;
    this.#onStop = onStop;
  }

  /** Runs a call into SQLite. Does not return when the thread is to end. */
  run<T>(call: () => T): T {
    if (Atomics.compareExchange(this.#state, 0, IN_SCRIPT, IN_SQLITE) === STOPPED) this.#sleep();
    try {
      return call();
    } finally {
      this.leave();
    }
  }

  /** SQLite has returned. */
  leave(): void {
    if (Atomics.compareExchange(this.#state, 0, IN_SQLITE, IN_SCRIPT) !== STOP_ON_RETURN) return;
    Atomics.store(this.#state, 0, STOPPED);
    this.#onStop();
    this.#sleep();
  }

  /** Waits for the end. */
  #sleep(): void {
    Atomics.wait(this.#state, 0, STOPPED);
  }
}
