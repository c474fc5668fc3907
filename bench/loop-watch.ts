import { readFileSync } from 'node:fs';
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
  #cpu = 0;
  #longestCpu = 0;

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
    this.#longestCpu = 0;
    this.#cpu = mainThreadMs();
    this.#expected = performance.now() + TICK_MS;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /**
   * The longest block since {@link begin}, the longest decision, the 99th percentile of the loop's delay in ms, and the most CPU time that the
   * thread took between two ticks: the longest block as it is on a machine that does nothing else.
   */
  end(): { longest: Block; decision: Block['decision']; p99Ms: number; longestCpuMs: number } {
    this.#tick();
    clearInterval(this.#timer);
    this.#histogram.disable();
    const p99Ms = this.#histogram.percentile(99) / 1e6;
    return { longest: this.#longest, decision: this.#longestDecision, p99Ms, longestCpuMs: this.#longestCpu };
  }

  #tick(): void {
    const now = performance.now();
    const ms = now - this.#expected;
    if (ms > this.#longest.ms) this.#longest = { ms, decision: this.#decision };
    this.#decision = null;
    const cpu = mainThreadMs();
    this.#longestCpu = Math.max(this.#longestCpu, cpu - this.#cpu);
    this.#cpu = cpu;
    this.#expected = now + TICK_MS;
  }
}

/** CPU time of this process's first thread; 0 where the system does not tell. */
function mainThreadMs(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}
