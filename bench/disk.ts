import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { percentile } from './measure.js';

/** What the disk can do, measured by itself: 4 KB appended and flushed, again and again. */
export interface DiskRate {
  readonly perSecond: number;
  readonly p50Micros: number;
  readonly p99Micros: number;
}

/** Appends and flushes for `ms` in a file of the folder. */
export function diskRate(folder: string, ms: number): DiskRate {
  const file = openSync(join(folder, 'disk-rate'), 'a');
  const block = Buffer.alloc(4_096, 'x');
  const times: number[] = [];
  const until = performance.now() + ms;
  for (let now = performance.now(); now < until; ) {
    writeSync(file, block);
    fdatasyncSync(file);
    const then = performance.now();
    times.push((then - now) * 1_000);
    now = then;
  }
  closeSync(file);
  times.sort((a, b) => a - b);
  return {
    perSecond: (times.length * 1_000) / ms,
    p50Micros: percentile(times, 0.5),
    p99Micros: percentile(times, 0.99),
  };
}
