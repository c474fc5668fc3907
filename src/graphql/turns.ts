/** So much may be made of large values before others have their turn. */
const TURN_BYTES = 1_048_576;

/**
 * Spreads over turns of the event loop what all executions of a server make of large values: graphql-js would make one after the other of a
 * whole list.
 */
export class Turns {
  #bytes = 0;
  #waiting: (() => void)[] = [];
  #isScheduled = false;

  /** So much was made. */
  count(bytes: number): void {
    this.#bytes += bytes;
  }

  /** What `make` gives: now, or in a turn that has room for it. */
  inTurn(make: () => unknown): unknown {
    if (this.#bytes < TURN_BYTES) return make();
    return new Promise((resolve, reject) => {
      const made = () => {
        try {
          resolve(make());
        } catch (thrown) {
          reject(thrown);
        }
      };
      this.#waiting.push(made);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    this.#isScheduled = false;
    this.#bytes = 0;
    const waiting = this.#waiting;
    this.#waiting = [];
    let at = 0;
    while (at < waiting.length && this.#bytes < TURN_BYTES) waiting[at++]?.();
    this.#waiting = waiting.slice(at).concat(this.#waiting);
    if (this.#waiting.length > 0) this.#schedule();
  }
}
