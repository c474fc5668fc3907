import type { Document, Scalar } from '../collection.js';
import { documentOf } from '../document-text.js';
import { type AnyCollection, columnOf, tableOf } from '../log/schema.js';
import { compareScalars } from '../order.js';
import type { Prepared } from '../statements.js';
import type { Condition, Value } from './condition.js';
import type { Key } from './cursor.js';
import { type Found, pageOf } from './list.js';
import type { ListRequest, OrderTerm, Page } from './list-request.js';
import type { Walk } from './list-sql.js';
import type { ReadRoom } from './page-room.js';
import { smallColumns, smallText } from './stored-text.js';

/** Of more documents, or of more characters of them, a list is a reader's: it takes as long to ask one as to read these. */
const ROWS_MAX = 50;
const CHARACTERS_MAX = 65_536;

/**
 * One page of a list of what belongs to one thing, such as the tasks of an instance: this thread reads all that does with one statement, and looks
 * through it in memory. Undefined: a reader is to be asked, as the list is another one, too long, damaged, has other conditions, or may hold what
 * is left behind.
 * @throws as `pageOf`, and what the room does
 */
export function shortList(
  reads: { prepare(sql: string): Pick<Prepared, 'all'> },
  collection: AnyCollection,
  request: ListRequest,
  room?: ReadRoom,
): Page | undefined {
  const { where, order, caller } = request;
  const owner = where.find((condition) => isOwner(collection, condition)) as Owner | undefined;
  const isKnown = (column: string) => column === 'id' || Object.hasOwn(collection.columns, column);
  const isAsked =
    where.every((it) => isComparison(it) && isKnown(it.column)) && order.every((it) => isKnown(it.column));
  const read = owner !== undefined && isAsked ? readAll(reads, collection, owner) : undefined;
  if (read === undefined || read.documents.some(({ document }) => collection.leftBehind?.mayBe(document)))
    return undefined;
  const seesAll = collection.seesAll?.(caller) ?? false;
  const found: Found[] = [];
  for (const { id, body, document } of read.documents) {
    room?.take(body.length);
    const value = (column: string): Scalar => collection.columns[column]?.(document) ?? (column === 'id' ? id : null);
    const holds = (where as readonly Comparison[]).every((condition) => isTrue(condition, value(condition.column)));
    if (!holds || (!seesAll && collection.visible?.(caller, document) === false)) continue;
    found.push({ id, body, document, key: [...order.map(({ column }) => value(column)), id] });
  }
  return pageOf(request, {
    read: (walk, wanted) => walked(found, order, walk).slice(0, wanted),
    count: () => found.length,
    revision: () => read.revision,
  });
}

/** The condition that names the thing. */
interface Owner {
  readonly column: string;
  readonly value: Value;
}

const isOwner = ({ indexes }: AnyCollection, condition: Condition): boolean =>
  condition.op === 'eq' &&
  condition.value !== null &&
  Object.values(indexes).some(({ few, columns }) => few === true && columns[0] === condition.column);

interface Owned {
  readonly documents: readonly { readonly id: string; readonly body: string; readonly document: Document }[];
  /** That all of it is of. */
  readonly revision: number;
}

/** All that belongs to the thing; undefined: it is too much to be read here, or damaged. */
function readAll(
  reads: Parameters<typeof shortList>[0],
  collection: AnyCollection,
  { column, value }: Owner,
): Owned | undefined {
  // One statement: each by itself opens a view of the file. The first row is there whatever belongs to the thing.
  const sql = `SELECT c.revision AS at, d.* FROM (SELECT max(revision) AS revision FROM commits) c
    LEFT JOIN (SELECT ${smallColumns()} FROM ${tableOf(collection)} WHERE ${columnOf(column)} = ? LIMIT ${ROWS_MAX + 1}) d`;
  const rows = reads.prepare(sql).all(value);
  if (rows.length > ROWS_MAX) return undefined;
  const documents: Owned['documents'][number][] = [];
  let characters = 0;
  for (const row of rows) {
    if (row.id === null) break;
    const [id, body] = [String(row.id), smallText(row)];
    characters += body?.length ?? 0;
    if (body === undefined || characters > CHARACTERS_MAX) return undefined;
    documents.push({ id, body, document: documentOf(collection, { id, body }) });
  }
  return { documents, revision: Number(rows[0]?.at ?? 0) };
}

type Comparison = Exclude<
  Extract<Condition, { readonly column: string }>,
  { readonly op: 'contains' | 'like' | 'same' | 'multi' }
>;

const isComparison = (condition: Condition): condition is Comparison =>
  'column' in condition && !['contains', 'like', 'same', 'multi'].includes(condition.op);

function isTrue(condition: Comparison, value: Scalar): boolean {
  if (!('value' in condition) && !('values' in condition)) return (value === null) === (condition.op === 'isNull');
  if (value === null) return condition.op === 'eq' && condition.value === null;
  if (condition.op === 'in') return condition.values.includes(value);
  const order = compareScalars(value, condition.value);
  return { eq: order === 0, lt: order < 0, le: order <= 0, gt: order > 0, ge: order >= 0 }[condition.op];
}

/** The rows in the direction of the walk, those that lie between its ends. */
function walked(rows: readonly Found[], order: readonly OrderTerm[], { backwards, from, to }: Walk): Found[] {
  const descends = [...order.map(({ descending = false }) => descending), order.at(-1)?.descending ?? false];
  const compare = (a: Key, b: Key) => {
    for (const [i, descending] of descends.entries()) {
      const by = compareScalars(a[i] ?? null, b[i] ?? null);
      if (by !== 0) return descending === backwards ? by : -by;
    }
    return 0;
  };
  return rows
    .filter(({ key }) => (from === undefined || compare(key, from) > 0) && (to === undefined || compare(key, to) < 0))
    .sort((a, b) => compare(a.key, b.key));
}
