import fc from 'fast-check';
import type { Scalar } from '../../../src/store/collection.js';
import type { Condition } from '../../../src/store/read/condition.js';
import type { ListRequest } from '../../../src/store/read/list-request.js';
import type { Thing } from './things.js';

const columnNames = ['name', 'size', 'kind', 'id'] as const;
const values = fc.oneof(
  fc.constantFrom('a', 'b', 'B', 'ä', 'Ä', 'ab', '10', ''),
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom(0.5, 1e12),
);
export const arbitraryThings = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'.split('')),
    name: fc.option(fc.constantFrom('a', 'b', 'B', 'ä', 'Ä', 'ab', 'aÄb'), { nil: null }),
    size: fc.option(fc.integer({ min: -1, max: 3 }), { nil: null }),
    kind: fc.constantFrom('x', 'y'),
    groups: fc.array(fc.constantFrom('g1', 'g2', 'g3'), { maxLength: 3 }),
    owner: fc.option(fc.constantFrom('ann', 'bob'), { nil: null }),
  }),
  { selector: ({ id }) => id, maxLength: 20 },
);
export const arbitraryOrders = fc.uniqueArray(
  fc.record({ column: fc.constantFrom('name', 'size', 'kind'), descending: fc.boolean() }),
  { selector: ({ column }) => column, maxLength: 3 },
);
/** Conditions that compare one column. */
export const arbitraryComparisons: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ op: fc.constant('eq' as const), column: fc.constantFrom(...columnNames), value: fc.constant(null) }),
  fc.record({
    op: fc.constantFrom('eq' as const, 'lt' as const, 'le' as const, 'gt' as const, 'ge' as const),
    column: fc.constantFrom(...columnNames),
    value: values,
  }),
  fc.record({ op: fc.constant('in' as const), column: fc.constantFrom(...columnNames), values: fc.array(values) }),
  fc.record({ op: fc.constantFrom('isNull' as const, 'notNull' as const), column: fc.constantFrom(...columnNames) }),
);
export const { condition: arbitraryConditions } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    arbitraryComparisons,
    fc.record({
      op: fc.constant('contains' as const),
      column: fc.constantFrom(...columnNames),
      value: fc.constantFrom('a', 'A', 'ä', 'Ä', 'b', ''),
      ignoreCase: fc.boolean(),
    }),
    fc.record({
      op: fc.constant('like' as const),
      column: fc.constantFrom(...columnNames),
      value: fc.constantFrom('%', '_', 'a%', '%A', '%ä%', 'Ä_', '*', '[a]%', '?', ''),
      ignoreCase: fc.boolean(),
    }),
    fc.record({
      op: fc.constant('same' as const),
      column: fc.constantFrom(...columnNames),
      value: fc.constantFrom('a', 'A', 'ä', 'Ä', ''),
    }),
    fc.record({
      op: fc.constant('multi' as const),
      column: fc.constant('groups'),
      values: fc.option(fc.array(fc.constantFrom('g1', 'g2', 'g9')), { nil: undefined }),
    }),
    fc.record({
      op: fc.constantFrom('any' as const, 'all' as const),
      of: fc.array(tie('condition'), { maxLength: 3 }),
    }),
    fc.record({ op: fc.constant('not' as const), of: tie('condition') }),
  ),
}));

/** SQLite's order of values, said in JavaScript. */
function compare(a: Scalar, b: Scalar): number {
  const rank = (value: Scalar) => (value === null ? 0 : typeof value === 'number' ? 1 : 2);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a === 'number') return a - Number(b);
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

const columnValue = (item: Thing, column: string): Scalar =>
  (item as unknown as Record<string, Scalar>)[column] ?? null;

/** What a condition means, said in JavaScript. */
export function holds(condition: Condition, item: Thing): boolean {
  switch (condition.op) {
    case 'any':
      return condition.of.some((part) => holds(part, item));
    case 'all':
      return condition.of.every((part) => holds(part, item));
    case 'not':
      return !holds(condition.of, item);
    case 'multi':
      return item.groups.some((group) => condition.values?.includes(group) ?? true);
    default:
      return columnHolds(condition, columnValue(item, condition.column));
  }
}

type OfColumn = Exclude<Condition, { op: 'any' | 'all' | 'not' | 'multi' }>;

function columnHolds(condition: OfColumn, value: Scalar): boolean {
  if (condition.op === 'in') return value !== null && condition.values.includes(value);
  if (condition.op === 'contains' || condition.op === 'like') {
    const folded = (text: string) => (condition.ignoreCase ? text.toLowerCase() : text);
    if (typeof value !== 'string') return false;
    if (condition.op === 'contains') return folded(value).includes(folded(condition.value));
    const pattern = folded(condition.value)
      .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      .replaceAll('%', '.*')
      .replaceAll('_', '.');
    return new RegExp(`^${pattern}$`, 'su').test(folded(value));
  }
  if (condition.op === 'same')
    return typeof value === 'string' && value.toLowerCase() === condition.value.toLowerCase();
  if (!('value' in condition)) return (value === null) === (condition.op === 'isNull');
  if (value === null) return condition.op === 'eq' && condition.value === null;
  const order = compare(value, condition.value);
  return { eq: order === 0, lt: order < 0, le: order <= 0, gt: order > 0, ge: order >= 0 }[condition.op];
}

/** The ids of the whole list, found without SQL. */
export function expected(items: readonly Thing[], { where, order }: Pick<ListRequest, 'where' | 'order'>): string[] {
  const idDescending = order.at(-1)?.descending ?? false;
  return items
    .filter((item) => where.every((condition) => holds(condition, item)))
    .sort((a, b) => {
      for (const { column, descending } of order) {
        const by = compare(columnValue(a, column), columnValue(b, column));
        if (by !== 0) return descending ? -by : by;
      }
      return idDescending ? compare(b.id, a.id) : compare(a.id, b.id);
    })
    .map(({ id }) => id);
}
