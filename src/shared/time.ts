import { type Clock, systemClock } from './clock.js';
import { newSeed } from './ids.js';

/** Something that is to happen later. */
export interface Timer {
  /** It does not happen any more. */
  cancel(): void;
  /** The process stays alive for it, which it does not by itself. */
  hold(): this;
}

/**
 * Time and chance, as the machinery of the store has them: what waits, what is measured, what is drawn. Everything else that happens there is
 * set off by a caller, a thread or a connection, so who gives another form of it decides what happens when.
 */
export interface Time extends Clock {
  /** ms of a clock that never goes back, with fractions; its zero is any. */
  monotonic(): number;
  /** Runs it when the event loop has had its turn. */
  soon(run: () => void): void;
  /** Runs it after so many ms. */
  after(ms: number, run: () => void): Timer;
  /** Runs it every so many ms. */
  every(ms: number, run: () => void): Timer;
  /** Random bits: a seed as `idSource` takes it, 32 hex digits. */
  seed(): string;
}

/** The part of it that deadlines, heartbeats and reservations need. */
export type Timers = Pick<Time, 'monotonic' | 'soon' | 'after'>;

/** Time and timers of the machine. */
export const systemTime: Time = {
  now: systemClock.now,
  monotonic: () => performance.now(),
  soon: (run) => void setImmediate(run),
  after: (ms, run) => new NodeTimer(setTimeout(run, ms)),
  every: (ms, run) => new NodeTimer(setInterval(run, ms)),
  seed: newSeed,
};

class NodeTimer implements Timer {
  readonly #timer: NodeJS.Timeout;

  constructor(timer: NodeJS.Timeout) {
    this.#timer = timer.unref();
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }

  hold(): this {
    this.#timer.ref();
    return this;
  }
}

/** Resolves when the event loop has had its turn. */
export const turn = (time: Time): Promise<void> => new Promise((resolve) => time.soon(resolve));

/** Resolves after so many ms. */
export const pause = (time: Pick<Time, 'after'>, ms: number): Promise<void> =>
  new Promise((resolve) => void time.after(ms, () => resolve()));

/** As the answer settles; rejects with what `late` makes where that takes longer than so many ms. */
export function within<T>(time: Time, ms: number, answer: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const patience = time.after(ms, () => reject(late()));
    void answer.then(resolve, reject).finally(() => patience.cancel());
  });
}
