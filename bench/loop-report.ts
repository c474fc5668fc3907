import { LoopWatch } from './loop-watch.js';

/** How the event loop did: loaded into a server before its own program, which knows nothing of it. */
export interface LoopReport {
  /** The longest time in which the loop did nothing else. */
  readonly longestMs: number;
  /** The most CPU time that its thread took in one turn; 0 where the system does not tell. */
  readonly longestCpuMs: number;
  /** The 99th percentile of its delay. */
  readonly p99Ms: number;
}

if (process.send !== undefined) {
  const watch = new LoopWatch();
  process.on('message', (message) => {
    if (message === 'begin') return watch.begin();
    const { longest, p99Ms, longestCpuMs } = watch.end();
    const report: LoopReport = { longestMs: longest.ms, longestCpuMs, p99Ms };
    process.send?.(report);
  });
  process.channel?.unref();
}
