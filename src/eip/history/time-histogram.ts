/** Each power of two is divided into so many parts, so that a value is known within an eighth of it. */
const PARTS = 8;
const PARTS_BITS = 3;
/** Up to 2^36 µs, which are 19 hours; what takes longer counts as that. */
const POWERS = 36;
const BUCKETS = POWERS * PARTS;

/** How often something took how long, in µs, within an eighth, in memory that others may read while it counts. */
export class TimeHistogram {
  static readonly bytes = BUCKETS * Uint32Array.BYTES_PER_ELEMENT;
  readonly #counts: Uint32Array;

  constructor(memory: ArrayBufferLike = new ArrayBuffer(TimeHistogram.bytes), offset = 0) {
    this.#counts = new Uint32Array(memory, offset, BUCKETS);
  }

  add(micros: number): void {
    const bucket = bucketOf(micros);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
  }

  /** How often each bucket that has any was counted, by its number: for {@link addAll}. */
  counts(): [bucket: number, count: number][] {
    const found: [number, number][] = [];
    for (const [bucket, count] of this.#counts.entries()) if (count > 0) found.push([bucket, count]);
    return found;
  }

  addAll(counts: Iterable<readonly [bucket: number, count: number]>): void {
    for (const [bucket, count] of counts) this.#counts[bucket] = (this.#counts[bucket] ?? 0) + count;
  }

  get count(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  /** What so large a part (0 to 1) of all took at most, in µs; null where nothing was counted. */
  percentile(part: number): number | null {
    const { count } = this;
    if (count === 0) return null;
    let left = Math.max(1, Math.ceil(count * part));
    for (const [bucket, here] of this.#counts.entries()) {
      left -= here;
      if (left <= 0) return upperEnd(bucket);
    }
    return upperEnd(BUCKETS - 1);
  }

  reset(): void {
    this.#counts.fill(0);
  }
}

/** Values below 8 have a bucket each; above, the power of two and the next three bits say which. */
function bucketOf(micros: number): number {
  const value = Math.max(0, Math.floor(micros));
  if (value < PARTS) return value;
  const power = Math.floor(Math.log2(value));
  const part = Math.floor(value / 2 ** (power - PARTS_BITS)) - PARTS;
  return Math.min(BUCKETS - 1, (power - PARTS_BITS + 1) * PARTS + part);
}

function upperEnd(bucket: number): number {
  if (bucket < PARTS) return bucket;
  const power = Math.floor(bucket / PARTS) + PARTS_BITS - 1;
  const part = bucket % PARTS;
  return (PARTS + part + 1) * 2 ** (power - PARTS_BITS) - 1;
}
