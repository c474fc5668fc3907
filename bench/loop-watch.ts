import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The longest time in which the event loop did nothing else, and the longest decision within it. */
export interface Block {
  readonly ms: number;
  readonly decision: { readonly type: string; readonly ms: number } | null;
}

const TICK_MS = 1;

/** Watches the event loop of this thread: how late a timer comes, and which command was being decided meanwhile. */
export class LoopWatch {
  readonly #histogram = monitorEventLoopDelay({ resolution: TICK_MS });
  #timer: NodeJS.Timeout | undefined;
  #expected = 0;
  #longest: Block = { ms: 0, decision: null };
  #decision: Block['decision'] = null;
  #longestDecision: Block['decision'] = null;

  /** To be told of every decision. */
  readonly decided = (type: string, ms: number): void => {
    if (ms > (this.#decision?.ms ?? 0)) this.#decision = { type, ms };
    if (ms > (this.#longestDecision?.ms ?? 0)) this.#longestDecision = { type, ms };
  };

  begin(): void {
    this.#histogram.reset();
    this.#histogram.enable();
    this.#longest = { ms: 0, decision: null };
    this.#longestDecision = null;
    this.#expected = performance.now() + TICK_MS;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** The longest block since {@link begin}, the longest decision, and the 99th percentile of the loop's delay in ms. */
  end(): { longest: Block; decision: Block['decision']; p99Ms: number } {
    this.#tick();
    clearInterval(this.#timer);
    this.#histogram.disable();
    return { longest: this.#longest, decision: this.#longestDecision, p99Ms: this.#histogram.percentile(99) / 1e6 };
  }

  #tick(): void {
    const now = performance.now();
    const ms = now - this.#expected;
    if (ms > this.#longest.ms) this.#longest = { ms, decision: this.#decision };
    this.#decision = null;
    this.#expected = now + TICK_MS;
  }
}
