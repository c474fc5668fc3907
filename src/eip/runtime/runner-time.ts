import type { RunnerTime } from './runner.js';

/** Timers of Node take no more than this many ms at once. */
const TIMER_MAX = 2 ** 31 - 1;

/** Time as the machine has it. */
export class MachineTime implements RunnerTime {
  now(): number {
    return Date.now();
  }

  at(instant: number, work: () => void): () => void {
    let timer: NodeJS.Timeout;
    const wait = () => {
      const left = Math.max(0, Math.ceil(instant - Date.now()));
      timer = left > TIMER_MAX ? setTimeout(wait, TIMER_MAX) : setTimeout(work, left);
    };
    wait();
    return () => clearTimeout(timer);
  }

  after(ms: number, work: () => void): () => void {
    const timer = setTimeout(work, Math.min(ms, TIMER_MAX));
    return () => clearTimeout(timer);
  }

  turn(work: () => void): void {
    setImmediate(work);
  }

  elapsed(): number {
    return performance.now();
  }
}

/** The machine's time, but for a domain clock that stands until it is set on. */
export class SettableTime extends MachineTime {
  #now: number;
  readonly #timers = new Set<{ readonly at: number; readonly work: () => void }>();

  constructor(now: number) {
    super();
    this.#now = now;
  }

  override now(): number {
    return this.#now;
  }

  override at(instant: number, work: () => void): () => void {
    const timer = { at: instant, work };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** The earliest instant that something waits for; Infinity: nothing does. */
  nextDue(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { at } of this.#timers) if (at < next) next = at;
    return next;
  }

  /** Sets the clock, never back, and does what is due by then, the earliest first. */
  set(now: number): void {
    this.#now = Math.max(this.#now, now);
    const due = [...this.#timers].filter(({ at }) => at <= this.#now).sort((one, other) => one.at - other.at);
    for (const timer of due) if (this.#timers.delete(timer)) timer.work();
  }
}
