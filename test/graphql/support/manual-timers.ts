import type { Timer, Timers } from '../../../src/shared/time.js';

/** Timers that ring when a test says how much time has passed. */
export class ManualTimers implements Timers {
  #now = Date.UTC(2030, 0, 1);
  #alarms: { readonly at: number; readonly ring: () => void }[] = [];

  monotonic(): number {
    return this.#now;
  }

  after(ms: number, ring: () => void): Timer {
    const alarm = { at: this.#now + ms, ring };
    this.#alarms.push(alarm);
    const timer: Timer = {
      cancel: () => {
        this.#alarms = this.#alarms.filter((other) => other !== alarm);
      },
      hold: () => timer,
    };
    return timer;
  }

  soon(next: () => void): void {
    setImmediate(next);
  }

  /** Lets time pass; alarms ring in their order. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const [next] = this.#alarms.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#alarms = this.#alarms.filter((other) => other !== next);
      this.#now = next.at;
      next.ring();
    }
    this.#now = until;
  }
}
