/** A call through a circuit breaker that has ended. */
export interface Call {
  readonly at: number;
  readonly isFailed: boolean;
  readonly isSlow: boolean;
}

/** How many calls a window by time keeps, as memory has an end. */
const MOST = 10_000;

/** The calls of late: so many of them, or those of so many ms. */
export class CallWindow {
  readonly #size: number;
  readonly #isTime: boolean;
  /** A ring: the oldest one is at `#first`. */
  readonly #calls: Call[] = [];
  #first = 0;
  #count = 0;
  #failed = 0;
  #slow = 0;

  /** `size`: calls, or ms. */
  constructor(size: number, isTime: boolean) {
    this.#size = size;
    this.#isTime = isTime;
  }

  /** How many calls there are. */
  get count(): number {
    return this.#count;
  }

  /** Which part of them failed, in per cent. */
  get failureRate(): number {
    return this.#count === 0 ? 0 : (100 * this.#failed) / this.#count;
  }

  get slowRate(): number {
    return this.#count === 0 ? 0 : (100 * this.#slow) / this.#count;
  }

  add(call: Call): void {
    const most = this.#isTime ? MOST : this.#size;
    while (this.#count > 0 && (this.#count >= most || this.#isOld(call.at))) this.#drop();
    this.#calls[(this.#first + this.#count) % most] = call;
    this.#count++;
    this.#tally(call, 1);
  }

  #isOld(now: number): boolean {
    const oldest = this.#calls[this.#first];
    return this.#isTime && oldest !== undefined && oldest.at <= now - this.#size;
  }

  #drop(): void {
    const oldest = this.#calls[this.#first];
    this.#first = (this.#first + 1) % (this.#isTime ? MOST : this.#size);
    this.#count--;
    if (oldest !== undefined) this.#tally(oldest, -1);
  }

  #tally({ isFailed, isSlow }: Call, by: number): void {
    if (isFailed) this.#failed += by;
    if (isSlow) this.#slow += by;
  }
}
