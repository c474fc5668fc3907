import { setImmediate as turn } from 'node:timers/promises';

/** How long a loop may have the main thread, in ms. */
const HELD_MS = 8;

/** Lets others have their turn in a loop that may have nothing to wait for. */
export class Pace {
  #since = performance.now();

  /** To be awaited once per pass where true. */
  get isDue(): boolean {
    return performance.now() - this.#since > HELD_MS;
  }

  async pause(): Promise<void> {
    await turn();
    this.#since = performance.now();
  }
}
