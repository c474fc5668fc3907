import { badRequest } from '../../shared/errors.js';
import type { Scalar } from '../collection.js';
import { type AnyCollection, columnOf, multiTableOf } from '../log/schema.js';
import type { Condition } from './condition.js';

/** A part of a statement, with the values of its question marks. Its text holds declared names alone, never a value. */
export interface Fragment {
  readonly sql: string;
  readonly values: readonly Scalar[];
}

/** How deep conditions may be nested. */
const DEPTH_MAX = 20;
/** Lists of values up to this length are spelt out, so that the planner knows their number; longer ones go as one JSON text. */
const SPELT_MAX = 16;

/** The SQL name of a declared column, or of the id. @throws Error for a name that is not declared: a bug of the caller */
export function sqlColumn(collection: AnyCollection, column: string): string {
  if (Object.hasOwn(collection.columns, column)) return columnOf(column);
  if (column === 'id') return 'id';
  throw new Error(`expected a declared column of ${collection.name}, but found '${column}'`);
}

/** All conditions as one expression; the empty list is true. */
export const allOf = (collection: AnyCollection, conditions: readonly Condition[], depth = 0): Fragment =>
  join(
    conditions.map((condition) => conditionSql(collection, condition, depth)),
    ' AND ',
    '1',
  );

/** Fragments joined by an operator, each in parentheses; `none` stands for the empty list. */
export function join(parts: readonly Fragment[], operator: ' AND ' | ' OR ', none: '0' | '1'): Fragment {
  if (parts.length === 0) return { sql: none, values: [] };
  return { sql: parts.map((part) => `(${part.sql})`).join(operator), values: parts.flatMap((part) => part.values) };
}

function conditionSql(collection: AnyCollection, condition: Condition, depth: number): Fragment {
  if (depth > DEPTH_MAX) throw badRequest(`expected conditions nested at most ${DEPTH_MAX} deep`);
  switch (condition.op) {
    case 'any':
      return join(
        condition.of.map((part) => conditionSql(collection, part, depth + 1)),
        ' OR ',
        '0',
      );
    case 'all':
      return allOf(collection, condition.of, depth + 1);
    case 'not': {
      const { sql, values } = conditionSql(collection, condition.of, depth + 1);
      return { sql: `(${sql}) IS NOT TRUE`, values };
    }
    case 'multi':
      return multiSql(collection, condition.column, condition.values);
    case 'contains':
      return containsSql(sqlColumn(collection, condition.column), condition.value, condition.ignoreCase ?? false);
    case 'like':
      return likeSql(sqlColumn(collection, condition.column), condition.value, condition.ignoreCase ?? false);
    case 'same':
      return { sql: `fold(${sqlColumn(collection, condition.column)}) = ?`, values: [condition.value.toLowerCase()] };
    case 'in':
      return inSql(sqlColumn(collection, condition.column), condition.values);
    default:
      return comparisonSql(sqlColumn(collection, condition.column), condition);
  }
}

const OPERATORS = { eq: '=', lt: '<', le: '<=', gt: '>', ge: '>=' } as const;

type Comparison = Extract<Condition, { op: keyof typeof OPERATORS | 'isNull' | 'notNull' }>;

function comparisonSql(column: string, condition: Comparison): Fragment {
  if (!('value' in condition)) {
    return { sql: `${column} IS ${condition.op === 'isNull' ? '' : 'NOT '}NULL`, values: [] };
  }
  if (condition.value === null) return { sql: `${column} IS NULL`, values: [] };
  return { sql: `${column} ${OPERATORS[condition.op]} ?`, values: [condition.value] };
}

function inSql(column: string, among: readonly Scalar[]): Fragment {
  if (among.length > SPELT_MAX) {
    return { sql: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(among)] };
  }
  return { sql: `${column} IN (${among.map(() => '?').join(', ')})`, values: among };
}

function multiSql(collection: AnyCollection, column: string, among: readonly string[] | undefined): Fragment {
  if (!Object.hasOwn(collection.multi, column)) {
    throw new Error(`expected a declared multi column of ${collection.name}, but found '${column}'`);
  }
  const all = `SELECT id FROM ${multiTableOf(collection, column)}`;
  if (among === undefined) return { sql: `id IN (${all})`, values: [] };
  const { sql, values } = inSql('value', among);
  return { sql: `id IN (${all} WHERE ${sql})`, values };
}

function containsSql(column: string, part: string, ignoreCase: boolean): Fragment {
  return {
    sql: `typeof(${column}) = 'text' AND instr(${foldedColumn(column, part, ignoreCase)}, ?) > 0`,
    values: [ignoreCase ? part.toLowerCase() : part],
  };
}

/** By GLOB, which tells cases apart as LIKE does not. */
function likeSql(column: string, pattern: string, ignoreCase: boolean): Fragment {
  const glob = pattern.replace(/[*?[]/g, '[$&]').replaceAll('%', '*').replaceAll('_', '?');
  return {
    sql: `typeof(${column}) = 'text' AND ${foldedColumn(column, pattern, ignoreCase)} GLOB ?`,
    values: [ignoreCase ? glob.toLowerCase() : glob],
  };
}

/** SQLite's own lower() folds ASCII alone and is much faster than a call back; `fold` is {@link defineFunctions}'s. */
function foldedColumn(column: string, part: string, ignoreCase: boolean): string {
  if (!ignoreCase) return column;
  return /^[\0-\x7f]*$/.test(part) ? `lower(${column})` : `fold(${column})`;
}

/** Gives a connection the functions that conditions use. */
export function defineFunctions(database: {
  function(name: string, options: { deterministic: boolean }, work: (value: unknown) => Scalar): void;
}): void {
  database.function('fold', { deterministic: true }, (value) =>
    typeof value === 'string' ? value.toLowerCase() : null,
  );
}
