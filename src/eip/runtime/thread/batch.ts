/** Collects the messages of one turn of the event loop, and posts them together. */
export class Batch<T> {
  readonly #post: (items: readonly T[]) => void;
  #items: T[] = [];

  constructor(post: (items: readonly T[]) => void) {
    this.#post = post;
  }

  add(item: T): void {
    this.#items.push(item);
    if (this.#items.length === 1) setImmediate(() => this.#post(this.#items.splice(0)));
  }
}
