/** Counts of exchanges sent to an endpoint, completed and failed, in memory that other threads may read meanwhile. */
export class EndpointCounts {
  static readonly bytes = 2 * Float64Array.BYTES_PER_ELEMENT;
  readonly #numbers: Float64Array;

  constructor(memory: ArrayBufferLike = new ArrayBuffer(EndpointCounts.bytes)) {
    this.#numbers = new Float64Array(memory);
  }

  get completed(): number {
    return this.#numbers[0] ?? 0;
  }

  get failed(): number {
    return this.#numbers[1] ?? 0;
  }

  add(completed: number, failed: number): void {
    this.#numbers[0] = this.completed + completed;
    this.#numbers[1] = this.failed + failed;
  }

  reset(): void {
    this.#numbers.fill(0);
  }
}
