import type { FeelScope, FeelValue } from '../../expression/index.js';
import type { TypedValue } from '../element/typed-value.js';
import type { Rule, TableBox, TableInput, TableOutput } from './decision-model.js';
import { transformed, typedAs } from './decision-type.js';
import { type Evaluation, failed } from './evaluation.js';
import { aggregated, choose, type Matched, type Row } from './hit-policy.js';
import type { EvaluatedTable } from './outcome.js';
import { Scope } from './scope.js';

export interface TableResult {
  /** As FEEL has it: one output is a value, several are a context; the hit policies of many give a list. */
  readonly value: FeelValue;
  /** As Camunda has it: a row of outputs by name per rule, without those that say nothing. */
  readonly rows: readonly Readonly<Record<string, TypedValue>>[];
  readonly table: EvaluatedTable;
}

/** Evaluates a decision table. `otherwise`: the name of a single output that has none. @throws EXECUTION_FAILED */
export function evaluateTable(
  evaluation: Evaluation,
  table: TableBox,
  { scope, place, otherwise }: { readonly scope: FeelScope; readonly place: string; readonly otherwise: string },
): TableResult {
  const inputs = table.inputs.map((input, at) => inputOf(evaluation, input, scope, `input ${at + 1} of ${place}`));
  const matched: Matched[] = [];
  for (const [at, rule] of table.rules.entries()) {
    if (!matches(evaluation, rule, { table, inputs, scope, place: `rule ${at + 1} of ${place}` })) continue;
    const row = rowOf(evaluation, table, rule, scope, `rule ${at + 1} of ${place}`);
    matched.push({ rule, number: at + 1, row });
    if (table.hitPolicy === 'FIRST') break;
  }
  const nameOf = (output: TableOutput) => output.name ?? otherwise;
  const chosen = choose(evaluation, table, matched, { scope, place });
  const rules = chosen.flatMap(({ rule, number, row }) => ({
    id: rule.id,
    number,
    outputs: row.map(({ output, value, whole }) => ({
      id: output.id,
      name: nameOf(output),
      value: typedAs(value, output.type, whole),
    })),
  }));
  const told = inputs.map(({ input, value }) => ({
    id: input.id,
    name: input.label ?? input.expression?.text ?? null,
    value: typedAs(value, input.type, evaluation.wholeOf(input.expression)),
  }));
  const rows = chosen.length > 0 ? chosen.map(({ row }) => row) : defaults(evaluation, table, scope, place);
  const evaluated = { inputs: told, rules };
  if (table.aggregation !== null) return aggregate(table, rows, { evaluated, place, nameOf });
  return { value: resultOf(table, rows), rows: rows.map((row) => shown(row, nameOf)), table: evaluated };
}

/** What a table that aggregates gives: one value; no row where there is none. */
function aggregate(
  { aggregation, outputs }: TableBox,
  rows: readonly Row[],
  made: {
    readonly evaluated: EvaluatedTable;
    readonly place: string;
    readonly nameOf: (output: TableOutput) => string;
  },
): TableResult {
  const [output] = outputs;
  const values = rows.map((row) => row[0]?.value ?? null);
  const value = aggregated(aggregation ?? 'COUNT', values, made.place);
  const wholes = rows.map((row) => row[0]?.whole);
  // Of whole numbers and others together Java makes doubles, of short and long ones long ones.
  const isDouble = values.some((each, at) => wholes[at] === 'Double' || !Number.isInteger(each));
  const larger = wholes.includes('Long') ? 'Long' : 'Integer';
  const type = aggregation === 'COUNT' ? 'integer' : (output?.type ?? null);
  const result = typedAs(value, type, isDouble ? 'Double' : larger);
  return {
    value,
    rows: value === null || output === undefined ? [] : [{ [made.nameOf(output)]: result }],
    table: { ...made.evaluated, aggregated: result },
  };
}

const shown = (row: Row, nameOf: (output: TableOutput) => string) =>
  Object.fromEntries(row.map(({ output, value, whole }) => [nameOf(output), typedAs(value, output.type, whole)]));

interface GivenInput {
  readonly input: TableInput;
  readonly value: FeelValue;
  /** The names within the rules. */
  readonly scope: FeelScope;
}

function inputOf(evaluation: Evaluation, input: TableInput, outer: FeelScope, place: string): GivenInput {
  const found = input.expression === null ? null : evaluation.evaluate(input.expression, outer, place);
  const value = typedValue(found, input.type, place);
  return { input, value, scope: new Scope(outer).set('inputVariableName', input.variable).set(input.variable, value) };
}

function typedValue(value: FeelValue, type: string | null, place: string): FeelValue {
  try {
    return transformed(value, type);
  } catch (thrown) {
    throw failed(place, null, thrown);
  }
}

interface Matching {
  readonly table: TableBox;
  readonly inputs: readonly GivenInput[];
  readonly scope: FeelScope;
  readonly place: string;
}

/** Whether all entries of a rule pass. */
function matches(evaluation: Evaluation, rule: Rule, { inputs, place }: Matching): boolean {
  return inputs.every(({ value, scope }, at) => {
    const entry = rule.inputs[at];
    return (
      entry == null || evaluation.evaluate(entry, scope, `input entry ${at + 1} of ${place}`, { input: value }) === true
    );
  });
}

function rowOf(evaluation: Evaluation, table: TableBox, rule: Rule, scope: FeelScope, place: string): Row {
  return table.outputs.flatMap((output, at) => {
    const entry = rule.outputs[at];
    if (entry == null) return [];
    const within = `output entry ${at + 1} of ${place}`;
    const value = typedValue(evaluation.evaluate(entry, scope, within), output.type, within);
    return [{ output, value, whole: evaluation.wholeOf(entry) }];
  });
}

/** What the outputs are where no rule matches; none where the table says none. */
function defaults(evaluation: Evaluation, { outputs }: TableBox, scope: FeelScope, place: string): Row[] {
  if (outputs.every((output) => output.default === null)) return [];
  const within = `a default output of ${place}`;
  const row = outputs.map((output) => {
    const value = output.default === null ? null : evaluation.evaluate(output.default, scope, within);
    return { output, value: typedValue(value, output.type, within), whole: evaluation.wholeOf(output.default) };
  });
  return [row];
}

/** The result as FEEL has it. */
function resultOf({ hitPolicy, outputs }: TableBox, rows: readonly Row[]): FeelValue {
  const values = rows.map((row): FeelValue => {
    if (outputs.length === 1) return row[0]?.value ?? null;
    return Object.fromEntries(
      outputs.map((output) => [output.name ?? '', row.find((entry) => entry.output === output)?.value ?? null]),
    );
  });
  const isMany = hitPolicy === 'COLLECT' || hitPolicy === 'RULE ORDER' || hitPolicy === 'OUTPUT ORDER';
  return isMany ? values : (values[0] ?? null);
}
