import { busyWithBodies } from './transport-error.js';

/** Bodies up to this are not counted: the number of connections bounds them, and they get through whatever else is going on. */
export const UNCOUNTED_BYTES = 16_384;

/** How much of requests may be in memory at once. A body stays there, as text and as what was read from it, until its request is answered. */
export class BodyBudget {
  readonly bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  share(): BodyShare {
    return new BodyShare(this);
  }

  /** @throws TransportError 503 */
  take(bytes: number): void {
    if (this.#bytes + bytes > this.bytesMax) throw busyWithBodies(this.bytesMax);
    this.#bytes += bytes;
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes;
  }
}

/** One request's part of the budget: it is given back when all work that needs the body has ended. */
export class BodyShare {
  readonly #budget: BodyBudget;
  #bytes = 0;
  #works = 0;

  constructor(budget: BodyBudget) {
    this.#budget = budget;
  }

  /** The body may have that many bytes; said once, it is not counted again. @throws TransportError 503 too much is in memory already */
  reserve(bytes: number): void {
    if (this.#bytes > 0 || bytes <= UNCOUNTED_BYTES) return;
    // One that is larger than all together is taken when it is alone.
    const counted = Math.min(bytes, this.#budget.bytesMax);
    this.#budget.take(counted);
    this.#bytes = counted;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#works++;
    try {
      return await work();
    } finally {
      this.#works--;
      if (this.#works === 0) this.#giveBack();
    }
  }

  #giveBack(): void {
    this.#budget.giveBack(this.#bytes);
    this.#bytes = 0;
  }
}
