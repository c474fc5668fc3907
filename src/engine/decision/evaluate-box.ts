import { type FeelScope, type FeelValue, feelin } from '../../expression/index.js';
import type { Box, FunctionBox } from './decision-model.js';
import { conformed, taken } from './decision-type.js';
import { evaluateTable } from './evaluate-table.js';
import { type Evaluation, failed } from './evaluation.js';
import { Scope } from './scope.js';

/** The value of a boxed expression. `place`: where it is, for refusals. @throws EXECUTION_FAILED */
export function evaluateBox(evaluation: Evaluation, box: Box, scope: FeelScope, place: string): FeelValue {
  evaluation.step();
  const value = (inner: Box, names: FeelScope = scope) => evaluateBox(evaluation, inner, names, place);
  switch (box.kind) {
    case 'literal':
      return box.text === null ? null : evaluation.evaluate(box.text, scope, place);
    case 'table':
      return evaluateTable(evaluation, box, { scope, place, otherwise: '' }).value;
    case 'list':
      return box.items.map((item) => value(item));
    case 'relation':
      return box.rows.map((row) => Object.fromEntries(box.columns.map((name, at) => [name, cell(row[at], value)])));
    case 'function':
      return functionOf(evaluation, box, scope, place);
    case 'conditional':
      return conditional(box, value);
    case 'context':
      return contextOf(box, scope, value);
    case 'invocation':
      return invoke(box, value, place);
    case 'filter':
      return filter(box, scope, value);
    default:
      return iterate(box, scope, value);
  }
}

type Evaluate = (box: Box, names?: FeelScope) => FeelValue;

type BoxOf<K extends Box['kind']> = Extract<Box, { readonly kind: K }>;

const cell = (box: Box | undefined, value: Evaluate): FeelValue => (box === undefined ? null : value(box));

/** Each entry sees those before it; the one without a name is the value of the whole. */
function contextOf({ entries }: BoxOf<'context'>, outer: FeelScope, value: Evaluate): FeelValue {
  const scope = new Scope(outer);
  const result: Record<string, FeelValue> = {};
  for (const entry of entries) {
    const found = value(entry.value, scope);
    if (entry.name === null) return found;
    scope.set(entry.name, found);
    result[entry.name] = found;
  }
  return result;
}

/** A function that others call; its body sees what is seen here. */
export function functionOf(evaluation: Evaluation, box: FunctionBox, outer: FeelScope, place: string): FeelValue {
  const { FeelFunction } = feelin();
  const names = box.parameters.map(({ name }) => name);
  const type = box.type ?? (box.body?.kind === 'literal' ? box.body.type : null);
  const call = (...given: FeelValue[]) => {
    const values = taken(evaluation, given, box.parameters, place);
    if (values === null || box.body === null) return null;
    const scope = new Scope(outer);
    for (const [name, value] of values) scope.set(name, value);
    return conformed(evaluation, evaluateBox(evaluation, box.body, scope, place), type, place);
  };
  return new FeelFunction(call, names);
}

/** @throws EXECUTION_FAILED (no function; other parameters) */
function invoke({ called, bindings }: BoxOf<'invocation'>, value: Evaluate, place: string): FeelValue {
  const { FeelFunction } = feelin();
  const target = value(called);
  if (!(target instanceof FeelFunction)) throw failed(place, null, new Error('what it calls is no function'));
  const given = Object.fromEntries(bindings.map((binding) => [binding.name, value(binding.value)]));
  const unknown = Object.keys(given).find((name) => !target.parameterNames.includes(name));
  if (unknown !== undefined) {
    const names = target.parameterNames.join(', ');
    throw failed(place, null, new Error(`the function that it calls has no parameter '${unknown}', but ${names}`));
  }
  return (target.invoke(given) ?? null) as FeelValue;
}

const listOf = (value: FeelValue): readonly FeelValue[] =>
  value === null ? [] : Array.isArray(value) ? (value as FeelValue[]) : [value];

/** Each item is `item`, and its own entries are seen, too. */
function filter(box: BoxOf<'filter'>, outer: FeelScope, value: Evaluate): FeelValue {
  const items = listOf(value(box.in));
  const found = items.map((item) => {
    const scope = new Scope(outer).set('item', item);
    if (isContext(item)) for (const [name, each] of Object.entries(item)) scope.set(name, each);
    return value(box.match, scope);
  });
  return found.every(isTruth) ? items.filter((_item, at) => found[at] === true) : null;
}

/** What is neither true nor false, nor unknown, decides nothing. */
const isTruth = (value: FeelValue): value is boolean | null => typeof value === 'boolean' || value === null;

function conditional(box: BoxOf<'conditional'>, value: Evaluate): FeelValue {
  const found = value(box.if);
  return isTruth(found) ? value(found === true ? box.met : box.unmet) : null;
}

const isContext = (value: FeelValue): value is Readonly<Record<string, FeelValue>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function iterate(box: BoxOf<'for' | 'some' | 'every'>, outer: FeelScope, value: Evaluate): FeelValue {
  const found = value(box.in);
  const partial: FeelValue[] = [];
  for (const item of itemsOf(found)) {
    const scope = new Scope(outer).set(box.variable, item).set('partial', partial);
    const result = value(box.each, scope);
    if (box.kind !== 'for' && !isTruth(result)) return null;
    if (box.kind === 'some' && result === true) return true;
    if (box.kind === 'every' && result !== true) return false;
    partial.push(result);
  }
  return box.kind === 'for' ? partial : box.kind === 'every';
}

/** A range of numbers is gone through. */
function* itemsOf(value: FeelValue): Generator<FeelValue> {
  const { FeelRange } = feelin();
  if (!(value instanceof FeelRange)) {
    yield* listOf(value);
    return;
  }
  const { start, end } = value as { readonly start: unknown; readonly end: unknown };
  if (typeof start !== 'number' || typeof end !== 'number') return;
  const step = start <= end ? 1 : -1;
  for (let at = start; step > 0 ? at <= end : at >= end; at += step) yield at;
}
