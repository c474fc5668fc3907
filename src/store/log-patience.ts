/** So long may the log take for a group of commits, ms: callers are to be answered within 2 s, whatever becomes of it. */
export const LOG_ANSWER_MS = 1_500;

/** How long the log is waited for. While a server starts nobody else waits, so the start does, and goes on when the log is there. */
export class LogPatience {
  readonly #answerMs: number;
  readonly #startMs: number;
  #isStarting: boolean;

  /** `startMs`: how long the log may take until {@link started}; 0: no longer than later. */
  constructor(answerMs = LOG_ANSWER_MS, startMs = 0) {
    this.#answerMs = answerMs;
    this.#startMs = startMs;
    this.#isStarting = startMs > answerMs;
  }

  /** How long the log may take for a group of commits, ms; then whoever waits is refused, and the log is recovered. */
  get answerMs(): number {
    return this.#isStarting ? this.#startMs : this.#answerMs;
  }

  /** Whether a log that fails is waited for, as one that does not answer is. */
  get isStarting(): boolean {
    return this.#isStarting;
  }

  started(): void {
    this.#isStarting = false;
  }
}
