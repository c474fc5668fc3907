import { badRequest, limitExceeded } from '../shared/errors.js';
import { cursorsOf, PAGE_MAX } from '../store/index.js';
import type { PageArguments } from './list-field.js';

/** A list of things that are in memory: what of it is wanted, and in which order. */
export interface MemoryList<T> {
  /** Names the list, with its filters: cursors of another one are refused. */
  readonly name: string;
  readonly all: Iterable<T>;
  readonly isWanted: (item: T) => boolean;
  /** What they are ordered by; null comes first. */
  readonly value: (item: T) => string | number | null;
  /** What tells items of the same value apart. */
  readonly id: (item: T) => string;
  readonly descending: boolean;
}

/** Arguments of a page from either end: `first` and `after`, or `last` and `before`. */
export interface EitherPage extends PageArguments {
  readonly last?: number | null;
  readonly before?: string | null;
}

type Key = readonly [string | number | null, string];
interface Row<T> {
  readonly node: T;
  readonly key: Key;
}

/** So many items are looked at before others have their turn. */
const TURN = 5_000;

/**
 * A page of a list, from one pass over all: of those behind the cursor, the first so many are kept.
 * @throws BAD_REQUEST (a size or a cursor that is none, both ends), LIMIT_EXCEEDED
 */
export async function memoryPage<T>(list: MemoryList<T>, page: EitherPage, otherwise: number) {
  const { isFromEnd, size, cursor } = endOf(page, otherwise);
  const cursors = cursorsOf(list.name, 2);
  const from = cursor == null ? null : (cursors.decode(cursor) as unknown as Key);
  const sign = list.descending === isFromEnd ? 1 : -1;
  const compare = (a: Key, b: Key) => sign * (compareValues(a[0], b[0]) || compareValues(a[1], b[1]));
  const { total, rows } = await collected(list, { from, size: size + 1, compare });
  const isMore = rows.length > size;
  const shown = rows.slice(0, size).map(({ node, key }) => ({ node, cursor: cursors.encode([...key]) }));
  const isBehind = from !== null;
  return isFromEnd
    ? { rows: shown.reverse(), hasNextPage: isBehind, hasPreviousPage: isMore, totalCount: total }
    : { rows: shown, hasNextPage: isMore, hasPreviousPage: isBehind, totalCount: total };
}

/** The first items of the list, less those that are passed over. @throws BAD_REQUEST, LIMIT_EXCEEDED */
export async function firstOf<T>(list: MemoryList<T>, offset: number, limit: number): Promise<T[]> {
  const size = sizeOf(offset, 'offset', OFFSET_MAX) + sizeOf(limit, 'limit', LIMIT_MAX);
  const compare = (a: Key, b: Key) => compareValues(a[0], b[0]) || compareValues(a[1], b[1]);
  const { rows } = await collected(list, { from: null, size, compare });
  return rows.slice(offset).map(({ node }) => node);
}

const OFFSET_MAX = 50_000;
const LIMIT_MAX = 1_000;

/** From which end the page is taken, how large it is, and behind which cursor. @throws BAD_REQUEST, LIMIT_EXCEEDED */
export function endOf({ first, after, last, before }: EitherPage, otherwise: number) {
  if (last != null) {
    if (after != null) throw badRequest("expected 'last' with 'before', but found 'after' beside it");
    return { isFromEnd: true, size: sizeOf(last, 'last'), cursor: before };
  }
  if (before != null) throw badRequest("expected 'last' beside 'before', but found none");
  return { isFromEnd: false, size: sizeOf(first ?? otherwise, 'first'), cursor: after };
}

function sizeOf(size: number, name: string, max = PAGE_MAX): number {
  if (size < 0) throw badRequest(`expected '${name}' to be a whole number from 0, but it is ${size}`);
  if (size > max) throw limitExceeded(`expected '${name}' to be at most ${max}, but it is ${size}`);
  return size;
}

interface Collecting {
  readonly from: Key | null;
  /** How many are kept. */
  readonly size: number;
  readonly compare: (a: Key, b: Key) => number;
}

async function collected<T>(list: MemoryList<T>, { from, size, compare }: Collecting) {
  let rows: Row<T>[] = [];
  let [total, looked] = [0, 0];
  const tidy = () => {
    rows.sort((a, b) => compare(a.key, b.key));
    rows = rows.slice(0, size);
  };
  for (const node of list.all) {
    if (++looked % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    if (!list.isWanted(node)) continue;
    total++;
    const key = [list.value(node), list.id(node)] as const;
    if (from !== null && compare(key, from) <= 0) continue;
    rows.push({ node, key });
    if (rows.length > 2 * size + TURN) tidy();
  }
  tidy();
  return { total, rows };
}

function compareValues(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}
