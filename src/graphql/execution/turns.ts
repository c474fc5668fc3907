/** So much may be made of large values before others have their turn. */
const TURN_BYTES = 1_048_576;
/** What an object of a list counts as, whatever is selected of it: some hundreds of them make a turn. */
const OBJECT_BYTES = 4_096;
/** So many objects of a list are completed at once when there is room: an ordinary page is. */
const OBJECTS_AT_ONCE = 100;

/**
 * Spreads over turns of the event loop what all executions of a server make of large values and of long lists: graphql-js would make one after
 * the other of a whole list.
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
    return this.#bytes < TURN_BYTES ? make() : this.#later(make);
  }

  /** The objects of a list that is about to be completed: as they are, or those beyond the first ones each in a turn that has room for it. */
  spread(objects: readonly unknown[]): readonly unknown[] {
    const atOnce = this.#bytes < TURN_BYTES ? OBJECTS_AT_ONCE : 0;
    this.#bytes += Math.min(objects.length, atOnce) * OBJECT_BYTES;
    if (objects.length <= atOnce) return objects;
    const make = (object: unknown) => () => {
      this.#bytes += OBJECT_BYTES;
      return object;
    };
    return objects.map((object, at) => (at < atOnce ? object : this.#later(make(object))));
  }

  #later(make: () => unknown): Promise<unknown> {
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
    setImmediate(() => void this.#next());
  }

  async #next(): Promise<void> {
    this.#bytes = 0;
    const waiting = this.#waiting;
    this.#waiting = [];
    let at = 0;
    while (at < waiting.length && this.#bytes < TURN_BYTES) {
      waiting[at++]?.();
      // What is made of it counts as well, before the next one is.
      await null;
    }
    this.#waiting = waiting.slice(at).concat(this.#waiting);
    this.#isScheduled = false;
    if (this.#waiting.length > 0) this.#schedule();
  }
}
