import { compileFeel } from '../../expression/index.js';
import { messageOf } from '../../shared/errors.js';
import { idOf, type ModdleElement, many, one, text } from '../model/moddle-element.js';
import { short } from '../model/report.js';
import type { Aggregation, HitPolicy, Rule, TableBox, TableInput, TableOutput, Text } from './decision-model.js';
import { shapeFor } from './shape.js';
import { type TextCompiler, typeOf } from './text-compiler.js';

const HIT_POLICIES: readonly string[] = [
  'UNIQUE',
  'FIRST',
  'PRIORITY',
  'ANY',
  'COLLECT',
  'RULE ORDER',
  'OUTPUT ORDER',
] satisfies HitPolicy[];

const AGGREGATIONS: readonly string[] = ['SUM', 'MIN', 'MAX', 'COUNT'] satisfies Aggregation[];

/** The name of the tested value in Camunda's rules, where the model says none. */
const CELL_INPUT = 'cellInput';

/** Compiles a decision table; what is wrong in it goes to the report. */
export function compileTable(element: ModdleElement, texts: TextCompiler): TableBox {
  const inputs = many(element, 'input').map((it) => compileInput(it, texts));
  const outputs = many(element, 'output').map((it) => compileOutput(it, texts));
  const size = { inputs: inputs.length, outputs: outputs.length };
  const rules = many(element, 'rule').map((it) => compileRule(it, texts, size));
  if (outputs.length === 0) texts.report.problem(element, 'needs an output', 'dmn-table-output');
  checkOutputs(element, outputs, texts);
  const { hitPolicy, aggregation } = policyOf(element, texts);
  if (aggregation !== null && aggregation !== 'COUNT' && outputs.length > 1) {
    texts.report.problem(
      element,
      `aggregates by ${aggregation}, which takes exactly one output`,
      'dmn-aggregation-output',
    );
  }
  return { kind: 'table', hitPolicy, aggregation, inputs, outputs, rules };
}

function policyOf(
  element: ModdleElement,
  { report }: TextCompiler,
): { hitPolicy: HitPolicy; aggregation: Aggregation | null } {
  const hitPolicy = (text(element, 'hitPolicy') ?? 'UNIQUE').toUpperCase();
  const aggregation = text(element, 'aggregation')?.toUpperCase() ?? null;
  if (!HIT_POLICIES.includes(hitPolicy)) {
    report.problem(
      element,
      `has the hit policy '${short(hitPolicy)}', but expected one of ${HIT_POLICIES.join(', ')}`,
      'dmn-hit-policy',
    );
  }
  if (aggregation !== null && !AGGREGATIONS.includes(aggregation)) {
    report.problem(
      element,
      `aggregates by '${short(aggregation)}', but expected one of ${AGGREGATIONS.join(', ')}`,
      'dmn-aggregation',
    );
  } else if (aggregation !== null && hitPolicy !== 'COLLECT') {
    report.problem(
      element,
      `aggregates by ${aggregation}, which only the hit policy COLLECT does`,
      'dmn-aggregation-collect',
    );
  }
  return { hitPolicy: hitPolicy as HitPolicy, aggregation: aggregation as Aggregation | null };
}

function compileInput(element: ModdleElement, texts: TextCompiler): TableInput {
  const expression = one(element, 'inputExpression');
  const values = one(element, 'inputValues');
  // Who drew the table chooses from them: they are read, and bind nobody.
  if (values !== null) texts.text(values, 'input values', 'unaryTests');
  return {
    id: idOf(element),
    label: text(element, 'label'),
    variable: text(element, 'camunda:inputVariable') ?? CELL_INPUT,
    expression: expression && texts.text(expression, 'an input expression'),
    type: expression && typeOf(expression),
  };
}

function compileOutput(element: ModdleElement, texts: TextCompiler): TableOutput {
  const values = one(element, 'outputValues');
  const otherwise = one(element, 'defaultOutputEntry');
  return {
    id: idOf(element),
    label: text(element, 'label'),
    name: text(element, 'name'),
    type: typeOf(element),
    values: values && listOf(values, texts),
    default: otherwise && texts.text(otherwise, 'a default output'),
  };
}

/** The values that are listed, as a list of FEEL; null where they are none that can be listed. */
function listOf(element: ModdleElement, texts: TextCompiler): Text | null {
  const values = texts.text(element, 'output values', 'unaryTests');
  if (values === null || values.language !== 'feel') return null;
  const list = `[${values.text}]`;
  try {
    compileFeel(list, 'expression', shapeFor(texts.names, list));
    return { language: 'feel', text: list };
  } catch (thrown) {
    texts.report.warn(
      element,
      `has output values that are no list, so they give no order: ${messageOf(thrown)}`,
      'dmn-output-values',
    );
    return null;
  }
}

function checkOutputs(element: ModdleElement, outputs: readonly TableOutput[], { report }: TextCompiler): void {
  if (outputs.length < 2) return;
  const names = outputs.map(({ name }) => name);
  if (names.includes(null))
    report.problem(element, 'has several outputs, but not each of them has a name', 'dmn-output-name');
  const twice = names.find((name, at) => name !== null && names.indexOf(name) !== at);
  if (twice != null)
    report.problem(element, `has several outputs with the name '${short(twice)}'`, 'dmn-output-name-unique');
}

function compileRule(
  element: ModdleElement,
  texts: TextCompiler,
  size: { readonly inputs: number; readonly outputs: number },
): Rule {
  const inputs = many(element, 'inputEntry');
  const outputs = many(element, 'outputEntry');
  if (inputs.length !== size.inputs) {
    texts.report.problem(
      element,
      `has ${inputs.length} input entries, but the table has ${size.inputs} inputs`,
      'dmn-rule-inputs',
    );
  }
  if (outputs.length !== size.outputs) {
    texts.report.problem(
      element,
      `has ${outputs.length} output entries, but the table has ${size.outputs} outputs`,
      'dmn-rule-outputs',
    );
  }
  return {
    id: idOf(element),
    description: text(element, 'description'),
    inputs: inputs.map((entry) => everything(texts.text(entry, 'an input entry', 'unaryTests'))),
    outputs: outputs.map((entry) => texts.text(entry, 'an output entry')),
  };
}

const everything = (entry: Text | null): Text | null => (entry?.text === '-' ? null : entry);
