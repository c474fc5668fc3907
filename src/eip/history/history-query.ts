/** Which exchanges are wanted: all that is given holds. */
export interface HistoryFilter {
  /** Any of these routes. */
  readonly routes?: readonly string[];
  /** `completed` or `failed`; of any other there are none. */
  readonly status?: string;
  /** `from <= createdAt < to`, ms. */
  readonly from?: number;
  readonly to?: number;
  /** Part of business key, exchange id or route id. */
  readonly text?: string;
  /** Any of these times, in ms: from the first on, below the second (null: however long). */
  readonly elapsed?: readonly (readonly [from: number, to: number | null])[];
}

/** Where in the list a row stands: by these, the last first. */
export interface HistoryPlace {
  readonly createdAt: number;
  readonly exchangeId: string;
  readonly routeId: string;
}

/** A page of the list that begins with the newest. */
export interface HistoryQuery {
  readonly filter: HistoryFilter;
  readonly limit: number;
  /** Only what is older than this one. */
  readonly after?: HistoryPlace;
  /** Only what is newer than this one; the nearest of them, where there are more than `limit`. */
  readonly before?: HistoryPlace;
  /** From the end of the list: the oldest of what is wanted. Always still told the newest first. */
  readonly fromEnd?: boolean;
  /** Whether `total` is wanted. */
  readonly counts?: boolean;
}

/** Counts of exchanges by when they began and how long they took. */
export interface StatsQuery {
  readonly routes?: readonly string[];
  readonly status?: string;
  /** `from <= createdAt < to`, ms. */
  readonly from: number;
  readonly to: number;
  /** Length of a bucket, ms: a multiple of five minutes. Buckets begin at multiples of it. */
  readonly interval: number;
  /** In ms, ascending. */
  readonly boundaries: readonly number[];
}

type Value = string | number;

/** SQL over the columns of `exchange`, with its values. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** The SQL condition on rows of a filter, behind or before a place. */
export function conditionOf(filter: HistoryFilter, place: Pick<HistoryQuery, 'after' | 'before'> = {}): Condition {
  const parts = [...ofFilter(filter), ...ofPlace(place)];
  return {
    sql: parts.length === 0 ? '1' : parts.map(([sql]) => sql).join(' AND '),
    values: parts.flatMap(([, ...values]) => values),
  };
}

type Part = readonly [sql: string, ...values: Value[]];

function ofFilter({ routes, status, from, to, text, elapsed }: HistoryFilter): Part[] {
  const parts: Part[] = [];
  if (routes !== undefined) parts.push(['routeId IN (SELECT value FROM json_each(?))', JSON.stringify(routes)]);
  if (status !== undefined) parts.push([statusSql(status)]);
  if (from !== undefined) parts.push(['createdAt >= ?', from]);
  if (to !== undefined) parts.push(['createdAt < ?', to]);
  if (text !== undefined)
    parts.push(['(instr(businessKey, ?) > 0 OR instr(exchangeId, ?) > 0 OR instr(routeId, ?) > 0)', text, text, text]);
  if (elapsed !== undefined) parts.push([elapsed.length === 0 ? '0' : `(${elapsed.map(elapsedSql).join(' OR ')})`]);
  return parts;
}

const PLACE = '(createdAt, exchangeId, routeId)';

function ofPlace({ after, before }: Pick<HistoryQuery, 'after' | 'before'>): Part[] {
  const parts: Part[] = [];
  if (after !== undefined) parts.push([`${PLACE} < (?, ?, ?)`, after.createdAt, after.exchangeId, after.routeId]);
  if (before !== undefined) parts.push([`${PLACE} > (?, ?, ?)`, before.createdAt, before.exchangeId, before.routeId]);
  return parts;
}

/** The SQL condition of a status on the column `failed`. */
export function statusSql(status: string): string {
  if (status === 'failed') return 'failed = 1';
  return status === 'completed' ? 'failed = 0' : '0';
}

/** Times are kept in µs. */
const elapsedSql = ([from, to]: readonly [number, number | null]): string =>
  `(elapsed >= ${Math.round(from * 1000)}${to === null ? '' : ` AND elapsed < ${Math.round(to * 1000)}`})`;
