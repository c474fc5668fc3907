import type { Statement } from '../sqlite.js';
import type { Prepared } from '../statements.js';

/**
 * Stops a thread that works in SQLite, without ending it from outside: a thread that is terminated while it holds native objects can take the
 * whole process with it. It looks at shared memory around every call into SQLite, and unwinds by itself once it is told to stop.
 */
const STOPPED = 1;

/** The memory that both sides share. */
export const newStopFlag = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));

/** The main thread's side: the thread unwinds at its next call into SQLite, or when the present one returns. */
export const stopThread = (flag: Int32Array): void => {
  Atomics.store(flag, 0, STOPPED);
};

/** Unwinds a thread that was told to stop. */
export class ThreadStopped extends Error {
  override readonly name = 'ThreadStopped';
}

/** The thread's side of {@link stopThread}: its calls into SQLite throw once it is to end. */
export class NativeGuard {
  readonly #flag: Int32Array;

  constructor(flag: Int32Array) {
    this.#flag = flag;
  }

  get isStopped(): boolean {
    return Atomics.load(this.#flag, 0) === STOPPED;
  }

  /** Runs a call into SQLite. @throws ThreadStopped when the thread is to end */
  run<T>(call: () => T): T {
    if (this.isStopped) throw new ThreadStopped();
    const result = call();
    if (this.isStopped) throw new ThreadStopped();
    return result;
  }
}

/** A statement whose every call into SQLite is known to the guard; a walk over rows is in SQLite only from row to row. */
export function guardedStatement(statement: Statement, guard: Pick<NativeGuard, 'run'>): Prepared {
  return {
    all: (...values) => guard.run(() => statement.all(...values)),
    get: (...values) => guard.run(() => statement.get(...values)),
    run: (...values) => guard.run(() => statement.run(...values)),
    *iterate(...values) {
      const rows = guard.run(() => statement.iterate(...values));
      const next = () => rows.next();
      try {
        for (let row = guard.run(next); row.done !== true; row = guard.run(next)) yield row.value;
      } finally {
        // Also when the thread unwinds: a statement that is reset lets its database close.
        rows.return?.();
      }
    },
  };
}
