import { badRequest, limitExceeded } from '../../shared/errors.js';
import type { Document, LeftBehind, Lookup } from '../collection.js';
import { isDamaged } from '../damage.js';
import { documentOf } from '../document-text.js';
import { type AnyCollection, tableOf } from '../log/schema.js';
import { Replica } from '../replica.js';
import type { Statements } from '../statements.js';
import type { Condition } from './condition.js';
import { decodeCursor, encodeCursor, type Key, listHash } from './cursor.js';
import { type ListRequest, PAGE_MAX, type Page, type PageRow } from './list-request.js';
import { countSql, listSegments, orderTerms, type Walk } from './list-sql.js';
import { PageRoom } from './page-room.js';
import type { ReaderQuery } from './reader-module.js';
import { type StoredRow, soundText, storedColumns } from './stored-text.js';

/** How the rows of a list are read. */
interface ListRows {
  /** The first `wanted` rows of the walk that the caller may see. */
  read(walk: Walk, wanted: number): readonly Found[];
  /** How many the list has. */
  count(): number;
  revision(): number;
}

/** A row of a list, with its place. */
export interface Found extends Omit<PageRow, 'cursor'> {
  readonly key: Key;
}

/**
 * One page of a list, read from `log.db`. To be run in one read transaction. What the collection's `visible` hides from the caller, and what is
 * left behind, is neither in the rows nor in the count.
 * @throws as {@link pageOf}; RoomExceeded
 */
export const listPage = (
  log: Statements,
  collection: AnyCollection,
  request: ListRequest,
  room = new PageRoom(),
): Page => {
  const left = leftBehindIn(log, collection);
  const list: List = { log, collection, left, request: left === undefined ? request : without(request, left) };
  return pageOf(request, {
    read: (walk, wanted) => collect(list, { walk, wanted, room }),
    count: () => count(list),
    revision: () => revisionOf(log),
  });
};

/** A list that is read. */
interface List {
  readonly log: Statements;
  readonly collection: AnyCollection;
  /** What is left behind is in none of its rows, but for what is to be looked at. */
  readonly request: ListRequest;
  readonly left: LeftBehind<Document> | undefined;
}

const without = (request: ListRequest, { all }: LeftBehind<Document>): ListRequest => ({
  ...request,
  where: [...request.where, { op: 'not', of: all }],
});

/**
 * The page of a list whose rows are read so.
 * @throws BAD_REQUEST a cursor of another list, a negative size, both directions; LIMIT_EXCEEDED a page of more than {@link PAGE_MAX}
 */
export function pageOf(request: ListRequest, list: ListRows): Page {
  const { backwards, size } = sizeOf(request);
  const hash = listHash(request);
  const keyLength = request.order.length + 1;
  const place = (cursor: string | null | undefined) =>
    cursor == null ? undefined : decodeCursor(hash, keyLength, cursor);
  const after = place(request.after);
  const before = place(request.before);
  const walk: Walk = { backwards, from: backwards ? before : after, to: backwards ? after : before };

  const found = list.read(walk, size + 1);
  const rows = found.slice(0, size).map(({ key, ...row }) => ({ ...row, cursor: encodeCursor(hash, key) }));
  const more = found.length > size;
  return {
    rows: backwards ? rows.reverse() : rows,
    hasNextPage: backwards ? before !== undefined : more,
    hasPreviousPage: backwards ? more : after !== undefined,
    totalCount: request.count ? list.count() : null,
    revision: list.revision(),
  };
}

/** The revision that a snapshot of `log.db` is of; 0 before the first commit. */
export function revisionOf(log: Statements): number {
  return Number(log.prepare('SELECT max(revision) AS revision FROM commits').get()?.revision ?? 0);
}

function sizeOf({ first, last }: ListRequest): { backwards: boolean; size: number } {
  if (first != null && last != null) throw badRequest("expected 'first' or 'last', but found both");
  const name = last != null ? 'last' : 'first';
  const size = last ?? first ?? PAGE_MAX;
  if (!Number.isInteger(size) || size < 0) {
    throw badRequest(`expected '${name}' to be a whole number from 0 to ${PAGE_MAX}, but it is ${size}`);
  }
  if (size > PAGE_MAX) throw limitExceeded(`expected '${name}' to be at most ${PAGE_MAX}, but it is ${size}`);
  return { backwards: last != null, size };
}

/** The first `wanted` rows of the walk that the caller may see. */
function collect(
  list: List,
  { walk, wanted, room }: { readonly walk: Walk; readonly wanted: number; readonly room: PageRoom },
): Found[] {
  const { collection, request } = list;
  const terms = orderTerms(collection, request.order).slice(0, -1);
  const columns = [storedColumns(), ...terms.map((term, at) => `${term.column} AS k${at}`)].join(', ');
  const found: Found[] = [];
  for (const row of rowsOf(list, walk, columns, wanted)) {
    const id = String(row.id);
    const key = [...terms.map((_, at) => row[`k${at}`] ?? null), id];
    const body = soundText(row);
    room.take(body ?? '');
    // Whoever does not see all may not know of this one, and nobody can tell any more.
    const known = hides(list) ? null : id;
    found.push(
      body === undefined ? { id, body: '', key, damage: { what: collection.name, id: known } } : { id, body, key },
    );
    // Here, not before the next row: asking for that may cost a whole range.
    if (found.length >= wanted) break;
  }
  return found;
}

/** A page of so many rows is read at once, which is faster; of a longer one no more is in memory than there is room for. */
const AT_ONCE_MAX = 101;

/** The rows of the walk that the caller may see, read as far as they are taken. */
function* rowsOf(list: List, walk: Walk, columns: string, wanted: number): Iterable<StoredRow> {
  const { log, collection, request } = list;
  const sees = sight(list);
  if (sees === null) {
    for (const { sql, values } of listSegments(collection, request, walk, columns)) {
      const read = log.prepare(`${sql} LIMIT ?`);
      yield* wanted <= AT_ONCE_MAX ? read.all(...values, wanted) : read.iterate(...values, wanted);
    }
    return;
  }
  // How many rows it takes is not known before: row numbers are walked (a sort need not hold bodies), each row is read when its turn comes.
  const read = log.prepare(`SELECT ${columns} FROM ${tableOf(collection)} WHERE n = ?`);
  for (const { sql, values } of listSegments(collection, request, walk, 'n')) {
    for (const { n } of log.prepare(sql).iterate(...values)) {
      const row: StoredRow = read.get(n);
      if (sees(row)) yield row;
    }
  }
}

/** Whether there are documents that the caller may not see. */
const hides = ({ collection: { visible, seesAll }, request: { caller } }: List): boolean =>
  visible !== undefined && !seesAll?.(caller);

/** Asks whether the caller may see a document, one that is damaged included, and whether it is still there; null when that need not be asked. */
function sight(list: List): ((row: StoredRow) => boolean) | null {
  const { collection, request, left } = list;
  const visible = hides(list) ? collection.visible : undefined;
  const isGone = left?.some?.isGone;
  if (visible === undefined && isGone === undefined) return null;
  return (row) => {
    const body = soundText(row);
    if (body === undefined) return true;
    const document = documentOf(collection, { id: String(row.id), body });
    return visible?.(request.caller, document) !== false && isGone?.(document) !== true;
  };
}

function count(list: List): number {
  const { log, collection, request, left } = list;
  const sees = sight(list);
  if (sees !== null && hides(list)) return counted(list, request.where, sees);
  const { sql, values } = countSql(collection, request.where, 'count(*) AS total');
  const total = Number(log.prepare(sql).get(...values)?.total ?? 0);
  // The others are there for sure.
  if (sees === null || left?.some === undefined) return total;
  return total - counted(list, [...request.where, left.some.among], (row) => !sees(row));
}

/** How many of those that fulfil the conditions are seen. */
function counted({ log, collection }: List, where: readonly Condition[], sees: (row: StoredRow) => boolean): number {
  const { sql, values } = countSql(collection, where, storedColumns());
  let total = 0;
  for (const row of log.prepare(sql).iterate(...values)) if (sees(row)) total++;
  return total;
}

/** A query that answers several lists over these collections at once, all of one revision: the relations of a whole page. */
export function listPagesOf(
  name: string,
  collections: readonly AnyCollection[],
): ReaderQuery<readonly Omit<ListRequest, 'caller'>[], Page[]> {
  const named = new Map(collections.map((collection) => [collection.name, collection]));
  return {
    name,
    run: ({ log, caller, room }, requests) =>
      requests.map((request) => {
        const collection = named.get(request.collection);
        if (collection === undefined) throw new Error(`expected a collection of this query: '${request.collection}'`);
        return listPage(log, collection, { ...request, caller }, room);
      }),
  };
}

/** The documents of a collection that are stored and gone, as of the snapshot that is read; undefined: none is. */
const leftBehindIn = (log: Statements, { leftBehind }: AnyCollection): LeftBehind<Document> | undefined =>
  leftBehind?.now(lookupIn(log));

/** What is damaged is passed over: it is told of where it is shown. */
function lookupIn(log: Statements): Lookup {
  const replica = new Replica({ prepare: (sql) => log.prepare(sql), close: () => {} });
  return {
    get(collection, id) {
      const body = soundBody(replica, collection, id);
      return body === undefined ? undefined : documentOf(collection, { id, body });
    },
    range(collection, name, from, limit) {
      const index = collection.indexes[name];
      if (index === undefined) throw new Error(`expected a declared index of ${collection.name}, but found '${name}'`);
      const rows = replica.range(collection, index, from, limit);
      return rows.filter(({ damage }) => damage === undefined).map((row) => documentOf(collection, row));
    },
  };
}

function soundBody(replica: Replica, collection: AnyCollection, id: string): string | undefined {
  try {
    return replica.body(collection, id);
  } catch (thrown) {
    if (isDamaged(thrown)) return undefined;
    throw thrown;
  }
}
