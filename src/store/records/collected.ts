import type { RecordEntry } from './record.js';

/** A row's text may have so many characters. */
const ROW_SIZE_MAX = 262_144;

/** Entries that go in one message. */
export interface Batch {
  readonly partition: string;
  readonly entries: readonly RecordEntry[];
}

interface Open {
  readonly partition: string;
  readonly stream: string;
  readonly rows: string[];
  first: number;
  last: number;
}

/** Records that were collected and not yet sent: rows by stream, then whole entries in the order in which they are to go. Its memory is bounded. */
export class Collected {
  readonly #sizeMax: number;
  readonly #open = new Map<string, Open>();
  #entries: RecordEntry[] = [];
  #size = 0;
  #rows = 0;
  #dropped = 0;

  /** `sizeMax`: how many characters are held; beyond that the oldest entries go. */
  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  /** Rows that are not in an entry yet. */
  get rows(): number {
    return this.#rows;
  }

  /** How many rows were given up since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  add(partition: string, stream: string, at: number, json: string): void {
    if (json.length > ROW_SIZE_MAX) return this.drop(1);
    const key = `${partition}/${stream}`;
    let open = this.#open.get(key);
    if (open === undefined) {
      open = { partition, stream, rows: [], first: at, last: at };
      this.#open.set(key, open);
    }
    open.first = Math.min(open.first, at);
    open.last = Math.max(open.last, at);
    open.rows.push(json);
    this.#rows++;
  }

  drop(rows: number): void {
    this.#dropped += rows;
  }

  /** Makes entries of all rows. */
  close(): void {
    for (const { partition, stream, rows, first, last } of this.#open.values()) {
      const entry = { partition, stream, count: rows.length, first, last, rows: `[${rows.join(',')}]` };
      this.#entries.push(entry);
      this.#size += entry.rows.length;
    }
    this.#open.clear();
    this.#rows = 0;
    while (this.#size > this.#sizeMax) {
      const oldest = this.#entries.shift();
      if (oldest === undefined) return;
      this.#size -= oldest.rows.length;
      this.drop(oldest.count);
    }
  }

  /** Takes all entries of the partition whose entry is the oldest. */
  take(): Batch | undefined {
    const [oldest] = this.#entries;
    if (oldest === undefined) return undefined;
    const { partition } = oldest;
    const entries = this.#entries.filter((entry) => entry.partition === partition);
    this.#entries = this.#entries.filter((entry) => entry.partition !== partition);
    for (const { rows } of entries) this.#size -= rows.length;
    return { partition, entries };
  }
}
