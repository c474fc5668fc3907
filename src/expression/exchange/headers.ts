/** The headers of a message: found in any letter case, told in the one that was written first, in the order they came (Camel's `CaseInsensitiveMap`). */
export class Headers {
  /** By name in lower case: the name as written, and the value. */
  readonly #entries: Map<string, { readonly name: string; value: unknown }>;

  constructor(entries: Iterable<readonly [name: string, value: unknown]> = []) {
    this.#entries = new Map();
    for (const [name, value] of entries) this.set(name, value);
  }

  get size(): number {
    return this.#entries.size;
  }

  get(name: string): unknown {
    return this.#entries.get(name.toLowerCase())?.value;
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  set(name: string, value: unknown): void {
    this.put(name, name.toLowerCase(), value);
  }

  /** As `set`, where the name in lower case is known already: what compiled steps do. */
  put(name: string, lower: string, value: unknown): void {
    const entry = this.#entries.get(lower);
    if (entry === undefined) this.#entries.set(lower, { name, value });
    else entry.value = value;
  }

  delete(name: string): boolean {
    return this.#entries.delete(name.toLowerCase());
  }

  clear(): void {
    this.#entries.clear();
  }

  /** The names as they were written. */
  *names(): IterableIterator<string> {
    for (const { name } of this.#entries.values()) yield name;
  }

  *[Symbol.iterator](): IterableIterator<[string, unknown]> {
    for (const { name, value } of this.#entries.values()) yield [name, value];
  }

  copy(): Headers {
    const copy = new Headers();
    for (const [lower, { name, value }] of this.#entries) copy.#entries.set(lower, { name, value });
    return copy;
  }

  toJSON(): Record<string, unknown> {
    return Object.fromEntries(this);
  }
}
