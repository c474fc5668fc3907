const PLACE = Symbol('its place among those in flight');

type Placed = { [PLACE]?: number };

/**
 * Things that come and go by the thousand, each an object. A Set of them is rehashed again and again, and each table that it leaves keeps what was in flight then, and the next
 * table, until a full collection of garbage: requests that are answered later than they come would nearly all grow old.
 */
export class InFlight<T extends object> implements Iterable<T> {
  readonly #all: (T & Placed)[] = [];

  get size(): number {
    return this.#all.length;
  }

  add(one: T): void {
    (one as Placed)[PLACE] = this.#all.length;
    this.#all.push(one);
  }

  /** What is not there is left as it is. */
  delete(one: T): void {
    const place = (one as Placed)[PLACE];
    const last = this.#all.at(-1);
    if (place === undefined || last === undefined || this.#all[place] !== one) return;
    this.#all[place] = last;
    last[PLACE] = place;
    this.#all.pop();
    (one as { [PLACE]?: number | undefined })[PLACE] = undefined;
  }

  [Symbol.iterator](): Iterator<T> {
    return [...this.#all].values();
  }
}
