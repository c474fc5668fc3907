/** What was sent to an endpoint, by how that ended, in memory that others may read while it counts. */
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
