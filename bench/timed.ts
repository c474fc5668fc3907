import { percentile, round } from './measure.js';

/** How long each of several calls took, in ms. */
export interface Times {
  readonly min: number;
  readonly median: number;
  readonly p95: number;
  readonly max: number;
}

/** Does the work so often, one after the other. */
export async function timed(times: number, work: (i: number) => unknown): Promise<Times> {
  const taken: number[] = [];
  for (let i = 0; i < times; i++) {
    const begun = performance.now();
    await work(i);
    taken.push(performance.now() - begun);
  }
  taken.sort((a, b) => a - b);
  return {
    min: taken[0] ?? 0,
    median: percentile(taken, 0.5),
    p95: percentile(taken, 0.95),
    max: taken.at(-1) ?? 0,
  };
}

/** `min 1.2, median 1.4, p95 2, max 3 ms` */
export const toldTimes = ({ min, median, p95, max }: Times): string =>
  `min ${round(min)}, median ${round(median)}, p95 ${round(p95)}, max ${round(max)} ms`;
