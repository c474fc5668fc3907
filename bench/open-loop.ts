import { percentile } from './measure.js';

/** What callers saw at a steady rate, in ms from the moment at which each call was due. */
export interface CallTimes {
  readonly calls: number;
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Calls at a steady rate, whether or not earlier calls were answered: a slow answer delays no later call and hides nothing. */
export function openLoop(work: () => Promise<unknown>, perSecond: number, seconds: number): Promise<CallTimes> {
  const times: number[] = [];
  const total = perSecond * seconds;
  let sent = 0;
  let failed = 0;
  const begun = performance.now();
  return new Promise((resolve) => {
    const call = async (due: number) => {
      await work().catch(() => failed++);
      times.push(performance.now() - due);
      if (times.length === total) resolve({ failed, ...told(times) });
    };
    const timer = setInterval(() => {
      for (; sent < total; sent++) {
        const due = begun + (sent * 1_000) / perSecond;
        if (due > performance.now()) return;
        void call(due);
      }
      clearInterval(timer);
    }, 1);
  });
}

function told(times: number[]): Omit<CallTimes, 'failed'> {
  times.sort((a, b) => a - b);
  return { calls: times.length, p50: percentile(times, 0.5), p99: percentile(times, 0.99), max: times.at(-1) ?? 0 };
}
