import type { Timers } from '../../shared/time.js';

/** How many deliveries begin in one turn of the event loop. Some 0.1 to 0.2 ms each: a request that comes meanwhile hardly waits. */
export const DELIVERIES_PER_TURN = 16;

/**
 * The turns in which events go to streams. An event that thousands of streams wait for wakes them all; executed in one go it would have the main thread for
 * seconds, and whoever asks for something, the sender of the event first of all, would wait for all of them.
 */
export class DeliveryTurns {
  readonly #timers: Timers;
  #waiting: (() => void)[] = [];
  #begun = 0;
  #isScheduled = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Resolves when a delivery may begin; undefined where it may at once. First come, first served. */
  next(): Promise<void> | undefined {
    this.#schedule();
    if (this.#begun < DELIVERIES_PER_TURN) {
      this.#begun++;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#timers.soon(() => {
      this.#isScheduled = false;
      const next = this.#waiting.splice(0, DELIVERIES_PER_TURN);
      this.#begun = next.length;
      if (next.length > 0) this.#schedule();
      for (const begin of next) begin();
    });
  }
}
