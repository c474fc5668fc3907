import { type FeelScope, type FeelValue, isEqual } from '../../expression/index.js';
import type { Rule, TableBox, TableOutput, WholeType } from './decision-model.js';
import { type Evaluation, failed } from './evaluation.js';

/** The outputs of a rule, or the defaults. `whole`: what a whole number is. */
export type Row = readonly { readonly output: TableOutput; readonly value: FeelValue; readonly whole: WholeType }[];

/** A rule whose entries pass. */
export interface Matched {
  readonly rule: Rule;
  readonly number: number;
  readonly row: Row;
}

/** The rules that count, by the hit policy. @throws EXECUTION_FAILED */
export function choose(
  evaluation: Evaluation,
  table: TableBox,
  matched: readonly Matched[],
  { scope, place }: { readonly scope: FeelScope; readonly place: string },
): readonly Matched[] {
  switch (table.hitPolicy) {
    case 'UNIQUE':
      if (matched.length > 1) throw tooMany(place, 'UNIQUE', 'at most one rule', matched);
      return matched;
    case 'ANY': {
      const [first, ...others] = matched;
      if (first === undefined) return [];
      if (others.some(({ row }) => !isSameRow(row, first.row)))
        throw tooMany(place, 'ANY', 'rules that have the same outputs', matched);
      return [first];
    }
    case 'PRIORITY':
      return byPriority(evaluation, table, matched, scope, place).slice(0, 1);
    case 'OUTPUT ORDER':
      return byPriority(evaluation, table, matched, scope, place);
    default:
      return matched;
  }
}

function tooMany(place: string, policy: string, expected: string, matched: readonly Matched[]) {
  const found = matched.map(({ rule, number }) => (rule.id === null ? `${number}` : `${number} ('${rule.id}')`));
  return failed(
    place,
    null,
    new Error(`its hit policy ${policy} takes ${expected}, and these match: ${found.join(', ')}`),
  );
}

const isSameRow = (one: Row, other: Row): boolean =>
  one.length === other.length && one.every(({ value }, at) => isEqual(value, other[at]?.value ?? null));

/** By the first output's place among the values that it may have, then the second's; what is no such value comes last. */
function byPriority(
  evaluation: Evaluation,
  { outputs }: TableBox,
  matched: readonly Matched[],
  scope: FeelScope,
  place: string,
): Matched[] {
  const orders = outputs.map(({ values }) =>
    values === null ? [] : listOf(evaluation.evaluate(values, scope, place)),
  );
  const rankOf = ({ row }: Matched) =>
    outputs.map((output, at) => {
      const value = row.find((entry) => entry.output === output)?.value ?? null;
      const rank = orders[at]?.findIndex((each) => isEqual(each, value)) ?? -1;
      return rank === -1 ? Number.MAX_SAFE_INTEGER : rank;
    });
  return matched
    .map((each) => ({ each, ranks: rankOf(each) }))
    .sort((a, b) => firstDifference(a.ranks, b.ranks))
    .map(({ each }) => each);
}

function firstDifference(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((rank, index) => rank !== other[index]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

const listOf = (value: FeelValue): readonly FeelValue[] => (Array.isArray(value) ? (value as FeelValue[]) : [value]);

/** Aggregate of the outputs of all rules. @throws EXECUTION_FAILED (no numbers) */
export function aggregated(
  aggregation: NonNullable<TableBox['aggregation']>,
  values: readonly FeelValue[],
  place: string,
): FeelValue {
  if (aggregation === 'COUNT') return values.length;
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length < values.length)
    throw failed(place, null, new Error(`it aggregates by ${aggregation}, and not all outputs are numbers`));
  if (numbers.length === 0) return null;
  if (aggregation === 'SUM') return numbers.reduce((sum, each) => sum + each, 0);
  return aggregation === 'MIN' ? Math.min(...numbers) : Math.max(...numbers);
}
