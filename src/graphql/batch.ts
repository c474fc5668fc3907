/**
 * Fetches by key in batches: the keys that are asked for in one turn are fetched at once, and each key once. For the relations of things on
 * one page.
 */
export class Batch<K, V> {
  readonly #fetch: (keys: readonly K[]) => Promise<readonly V[]>;
  readonly #max: number;
  readonly #known = new Map<K, Promise<V>>();
  #waiting: Waiting<K, V>[] = [];

  /** `fetch` gives one value per key, in their order. `max`: how many keys one fetch takes. */
  constructor(fetch: (keys: readonly K[]) => Promise<readonly V[]>, max: number) {
    this.#fetch = fetch;
    this.#max = max;
  }

  load(key: K): Promise<V> {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const loading = new Promise<V>((resolve, reject) => {
      // By then graphql-js has visited the fields of all things on the page.
      if (this.#waiting.push({ key, resolve, reject }) === 1) setImmediate(() => this.#flush());
    });
    this.#known.set(key, loading);
    return loading;
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let at = 0; at < waiting.length; at += this.#max) void this.#settle(waiting.slice(at, at + this.#max));
  }

  async #settle(waiting: readonly Waiting<K, V>[]): Promise<void> {
    try {
      const values = await this.#fetch(waiting.map(({ key }) => key));
      for (const [at, { resolve }] of waiting.entries()) resolve(values[at] as V);
    } catch (thrown) {
      for (const { reject } of waiting) reject(thrown);
    }
  }
}

interface Waiting<K, V> {
  readonly key: K;
  resolve(value: V): void;
  reject(thrown: unknown): void;
}
