import type { RunnerTime } from '../../../src/eip/runtime/runner.js';

/** A clock that stands until it is set on: what is due then happens in its order, and what that leads to, too. */
export class VirtualTime implements RunnerTime {
  #now: number;
  #timers: { readonly at: number; readonly work: () => void }[] = [];

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  at(instant: number, work: () => void): () => void {
    const timer = { at: instant, work };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((it) => it !== timer);
    };
  }

  turn(work: () => void): void {
    setImmediate(work);
  }

  after(ms: number, work: () => void): () => void {
    return this.at(this.#now + ms, work);
  }

  elapsed(): number {
    return performance.now();
  }

  /** Goes on by `ms`. Between two instants, promises that are settled by then have their turn. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await new Promise(setImmediate);
      const due = this.#timers.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0];
      if (due === undefined) break;
      this.#timers = this.#timers.filter((it) => it !== due);
      this.#now = Math.max(this.#now, due.at);
      due.work();
    }
    this.#now = until;
  }
}
