import type { Statements } from '../../store/files.js';
import type { StatsQuery } from './history-query.js';
import type { ExchangeSummary } from './packed-records.js';

/** Length of the buckets in which exchanges are counted, ms. */
export const BUCKET_MS = 300_000;

/** How many exchanges of a route began in a bucket, and took how long. */
export const COUNTED = `CREATE TABLE counted (
    start INTEGER NOT NULL, routeId TEXT NOT NULL, failed INTEGER NOT NULL, time INTEGER NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (start, routeId, failed, time)
  ) WITHOUT ROWID;`;

/** A bucket in which something is: its beginning (ms), and how many exchanges took how long, by the boundaries. */
export interface StatsBucket {
  readonly start: number;
  readonly bands: readonly number[];
}

interface Counted {
  readonly start: number;
  readonly routeId: string;
  readonly failed: number;
  readonly time: number;
  count: number;
}

/** How many exchanges of a batch belong to each count. */
export class Counts {
  readonly #counted = new Map<string, Counted>();

  add({ createdAt, routeId, status, elapsed }: ExchangeSummary): void {
    const start = Math.floor(createdAt / BUCKET_MS) * BUCKET_MS;
    const failed = status === 'failed' ? 1 : 0;
    const time = timeClass(Math.floor(elapsed / 1000));
    const key = `${start} ${failed} ${time} ${routeId}`;
    const known = this.#counted.get(key);
    if (known !== undefined) known.count++;
    else this.#counted.set(key, { start, routeId, failed, time, count: 1 });
  }

  write(file: Statements): void {
    const insert = file.prepare(
      'INSERT INTO counted VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count',
    );
    for (const { start, routeId, failed, time, count } of this.#counted.values())
      insert.run(start, routeId, failed, time, count);
  }
}

/** Buckets of a window, of whatever length they are to be. */
export function countedIn(
  file: Statements,
  { routes, status, from, to, interval, boundaries }: StatsQuery,
): StatsBucket[] {
  const ofRoutes = routes === undefined ? '' : 'AND routeId IN (SELECT value FROM json_each(?))';
  const ofStatus = status === undefined ? '' : `AND failed = ${status === 'failed' ? 1 : 0}`;
  const sql = `SELECT start, time, sum(count) AS count FROM counted WHERE start >= ? AND start < ? ${ofRoutes} ${ofStatus} GROUP BY start, time`;
  const values = [from, to, ...(routes === undefined ? [] : [JSON.stringify(routes)])];
  const buckets = new Map<number, number[]>();
  for (const { start, time, count } of file.prepare(sql).iterate(...values)) {
    const at = from + Math.floor((Number(start) - from) / interval) * interval;
    const bands = buckets.get(at) ?? new Array<number>(boundaries.length + 1).fill(0);
    buckets.set(at, bands);
    const band = bandOf(Number(time), boundaries);
    bands[band] = (bands[band] ?? 0) + Number(count);
  }
  return Array.from(buckets, ([start, bands]) => ({ start, bands })).sort((a, b) => a.start - b.start);
}

function bandOf(time: number, boundaries: readonly number[]): number {
  const above = boundaries.findIndex((boundary) => time < boundary);
  return above === -1 ? boundaries.length : above;
}

/** Up to so many ms, each has a class of its own; above, times share one as far as they begin with the same four digits. */
const EXACT_MS = 10_000;

/** How times of exchanges are counted: the class of one in ms, which is the least time of that class. Boundaries of up to four digits and zeros are exact. */
export function timeClass(ms: number): number {
  let size = 1;
  while (ms / size >= EXACT_MS) size *= 10;
  return Math.floor(ms / size) * size;
}
