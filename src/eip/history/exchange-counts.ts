import type { Statements } from '../../store/files.js';
import { type StatsQuery, statusSql } from './history-query.js';
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

/** Buckets of a window. What of it is no whole bucket of five minutes is counted from the exchanges that are kept. */
export function countedIn(file: Statements, query: StatsQuery): StatsBucket[] {
  const { from, to, interval, boundaries } = query;
  const buckets = new Map<number, number[]>();
  const add = (at: number, time: number, count: number) => {
    const start = Math.floor(at / interval) * interval;
    const bands = buckets.get(start) ?? new Array<number>(boundaries.length + 1).fill(0);
    buckets.set(start, bands);
    const band = bandOf(time, boundaries);
    bands[band] = (bands[band] ?? 0) + count;
  };
  const first = Math.ceil(from / BUCKET_MS) * BUCKET_MS;
  const last = Math.floor(to / BUCKET_MS) * BUCKET_MS;
  const whole = 'SELECT start AS at, time, sum(count) AS count FROM counted WHERE start >= ? AND start < ?';
  const parts = `SELECT (createdAt / ${BUCKET_MS}) * ${BUCKET_MS} AS at, elapsed / 1000 AS time, count(*) AS count FROM exchange WHERE createdAt >= ? AND createdAt < ?`;
  const read = (sql: string, begin: number, end: number) => {
    if (begin >= end) return;
    const { sql: more, values } = conditionOf(query);
    const rows = file.prepare(`${sql} ${more} GROUP BY 1, 2`).iterate(begin, end, ...values);
    for (const { at, time, count } of rows) add(Number(at), Number(time), Number(count));
  };
  if (first > last) read(parts, from, to);
  else {
    read(parts, from, first);
    read(whole, first, last);
    read(parts, last, to);
  }
  return Array.from(buckets, ([start, bands]) => ({ start, bands })).sort((a, b) => a.start - b.start);
}

function conditionOf({ routes, status }: StatsQuery) {
  const ofRoutes = routes === undefined ? '' : 'AND routeId IN (SELECT value FROM json_each(?))';
  const ofStatus = status === undefined ? '' : `AND ${statusSql(status)}`;
  return { sql: `${ofRoutes} ${ofStatus}`, values: routes === undefined ? [] : [JSON.stringify(routes)] };
}

function bandOf(time: number, boundaries: readonly number[]): number {
  const above = boundaries.findIndex((boundary) => time < boundary);
  return above === -1 ? boundaries.length : above;
}

/** Up to so many ms, each has a class of its own; above, times share one as far as they begin with the same four digits. */
const EXACT_MS = 10_000;

/** How times of exchanges are counted: the class of one in ms, which is the least time of that class. Boundaries of up to four digits and zeros are exact. */
function timeClass(ms: number): number {
  let size = 1;
  while (ms / size >= EXACT_MS) size *= 10;
  return Math.floor(ms / size) * size;
}
