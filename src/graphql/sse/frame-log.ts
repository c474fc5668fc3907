/** The last frames of a stream, numbered from 1, for a client that comes back. */
export class FrameLog {
  readonly #framesMax: number;
  readonly #charsMax: number;
  #frames: string[] = [];
  #chars = 0;
  #last = 0;

  constructor(framesMax: number, charsMax: number) {
    this.#framesMax = framesMax;
    this.#charsMax = charsMax;
  }

  /** The number of the last frame; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /**
   * Keeps the next frame; older ones go when there are too many, or they are too long together. One that is too long by itself is kept until
   * it is sent: without it, its operation begins again.
   */
  append(frame: string, isSent = false): void {
    this.#last++;
    this.#frames.push(frame);
    this.#chars += frame.length;
    while (
      this.#frames.length > this.#framesMax ||
      (this.#chars > this.#charsMax && this.#frames.length > Number(!isSent))
    ) {
      this.#chars -= this.#frames.shift()?.length ?? 0;
    }
  }

  /** The frames behind number `sequence`, in order; undefined when some of them are no longer there, or there never was such a number. */
  after(sequence: number): readonly string[] | undefined {
    const missing = this.#last - sequence;
    if (missing < 0 || missing > this.#frames.length) return undefined;
    return missing === 0 ? [] : this.#frames.slice(-missing);
  }

  /** Forgets the frames, not how many there were: their operations begin again elsewhere. */
  clear(): void {
    this.#frames = [];
    this.#chars = 0;
  }
}
