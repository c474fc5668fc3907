import type { Scalar } from '../collection.js';
import { type AnyCollection, tableOf } from '../log/schema.js';
import type { Condition } from './condition.js';
import { allOf, type Fragment, join, sqlColumn } from './condition-sql.js';
import type { Key } from './cursor.js';
import type { ListRequest, OrderTerm } from './list-request.js';

/** One statement of a list; the rows of a list's statements, one after the other, are the list. */
type Segment = Fragment;

/** How a list is walked: from which place, up to which, and which way. */
export interface Walk {
  readonly backwards: boolean;
  /** Only what lies behind this place, in the direction of the walk. */
  readonly from: Key | undefined;
  /** Only what lies in front of this place, in the direction of the walk. */
  readonly to: Key | undefined;
}

/** The list's order as SQL: the request's terms, then the id. */
export function orderTerms(collection: AnyCollection, order: readonly OrderTerm[]): readonly Term[] {
  const terms = order.map((term) => ({
    column: sqlColumn(collection, term.column),
    descending: term.descending ?? false,
  }));
  // The id goes the way of the last term, so that an index can be read from either end.
  return [...terms, { column: 'id', descending: terms.at(-1)?.descending ?? false }];
}

interface Term {
  readonly column: string;
  readonly descending: boolean;
}

/**
 * The statements of a list behind a place, in the order in which they are to be run. Each is one range of one index: what shares the first
 * n values with the place and lies behind it in the next, for n from all to none. `select` is what each row gives.
 */
export function listSegments(collection: AnyCollection, request: ListRequest, walk: Walk, select: string): Segment[] {
  const terms = orderTerms(collection, request.order).map((term) => ({
    ...term,
    descending: term.descending !== walk.backwards,
  }));
  const reversed = terms.map((term) => ({ ...term, descending: !term.descending }));
  const within = [allOf(collection, request.where)];
  if (walk.to !== undefined) within.push(join(rangesBehind(reversed, walk.to), ' OR ', '0'));
  const ranges = walk.from === undefined ? wholeRanges(collection, request, terms) : rangesBehind(terms, walk.from);
  return ranges.map((range) => {
    const where = join([...within, range], ' AND ', '1');
    return {
      sql: `SELECT ${select} FROM ${tableOf(collection)} WHERE ${where.sql}${orderBy(range)}`,
      values: where.values,
    };
  });
}

/** How many rows the list has, wherever a page begins. */
export function countSql(collection: AnyCollection, where: readonly Condition[], select: string): Fragment {
  const condition = allOf(collection, where);
  return { sql: `SELECT ${select} FROM ${tableOf(collection)} WHERE ${condition.sql}`, values: condition.values };
}

/** A range of the list, and the terms that still order it. */
interface Range extends Fragment {
  readonly terms: readonly Term[];
}

function orderBy({ terms }: Range): string {
  const keys = terms.map((term) => `${term.column}${term.descending ? ' DESC' : ''}`);
  return keys.length === 0 ? '' : ` ORDER BY ${keys.join(', ')}`;
}

/**
 * The whole list. An index holds only documents whose first column is not null, so a list in that column's order is read in two ranges:
 * those that have it, by the index, and those that don't.
 */
function wholeRanges(collection: AnyCollection, request: ListRequest, terms: readonly Term[]): Range[] {
  const [first, ...rest] = terms;
  const column = request.order[0]?.column;
  const indexed = Object.values(collection.indexes).some((index) => index.columns[0] === column);
  if (first === undefined || column === undefined || !indexed) return [{ sql: '1', values: [], terms }];
  const present: Range = { sql: `${first.column} IS NOT NULL`, values: [], terms };
  if (request.where.some((condition) => excludesNull(condition, column))) return [present];
  const absent: Range = { sql: `${first.column} IS NULL`, values: [], terms: rest };
  return first.descending ? [present, absent] : [absent, present];
}

function excludesNull(condition: Condition, column: string): boolean {
  if (!('column' in condition) || condition.column !== column) return false;
  if (condition.op === 'eq') return condition.value !== null;
  return condition.op !== 'isNull' && condition.op !== 'multi';
}

function rangesBehind(terms: readonly Term[], key: Key): Range[] {
  const ranges: Range[] = [];
  for (let level = terms.length - 1; level >= 0; level--) {
    const same = terms.slice(0, level).map((term, at) => sameAs(term.column, key[at] ?? null));
    for (const { terms: left, ...behind } of behindIn(terms.slice(level), key[level] ?? null)) {
      ranges.push({ ...join([...same, behind], ' AND ', '1'), terms: left });
    }
  }
  return ranges;
}

const sameAs = (column: string, value: Scalar): Fragment =>
  value === null ? { sql: `${column} IS NULL`, values: [] } : { sql: `${column} = ?`, values: [value] };

/** Range behind a value of the first term. Null is the smallest value, as in SQLite's own order. */
function behindIn(terms: readonly Term[], value: Scalar): Range[] {
  const [term, ...rest] = terms;
  if (term === undefined) return [];
  const { column, descending } = term;
  if (!descending) {
    return value === null
      ? [{ sql: `${column} IS NOT NULL`, values: [], terms }]
      : [{ sql: `${column} > ?`, values: [value], terms }];
  }
  if (value === null) return [];
  const smaller = { sql: `${column} < ?`, values: [value], terms };
  return column === 'id' ? [smaller] : [smaller, { sql: `${column} IS NULL`, values: [], terms: rest }];
}
