import fc from 'fast-check';
import { stringify } from 'yaml';
import { type ElementType, elementType, LANGUAGES, type OptionType, STEPS } from '../../../src/eip/model/dsl.js';
import { RUN_DATA_FORMATS, RUN_LANGUAGES, RUN_STEPS } from '../../../src/eip/model/what-runs.js';

type Plain = Record<string, unknown>;

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('007', 'true', ' a\n b ', '{{a}}', '${body}', '<&">', 'null', '# x'),
);
const name = fc.stringMatching(/^[a-z]{1,8}$/);
/** Where ids and parameters are: they are no plain texts. XML declares namespaces, where YAML lists them. */
const LEFT_OUT = ['id', 'parameters', 'namespace', 'steps'];

/** Options of an element of the DSL, each of them there or not. */
function options(type: ElementType, depth: number): fc.Arbitrary<Plain> {
  const some = [...type.options].filter(([option, { isOneOf }]) => !LEFT_OUT.includes(option) && !isOneOf);
  const values = Object.fromEntries(some.map(([option, kind]) => [option, value(kind, depth)]));
  const required = some.filter(([, kind]) => kind.isRequired).map(([option]) => option);
  const rest = fc.record(values, { requiredKeys: required as never[] }) as fc.Arbitrary<Plain>;
  const ones = [...type.options].filter(
    ([option, kind]) => kind.isOneOf && (!kind.element.endsWith('DataFormat') || RUN_DATA_FORMATS.includes(option)),
  );
  const one =
    ones.length === 0
      ? fc.constant({})
      : fc.oneof(...ones.map(([option, kind]) => fc.record({ [option]: value(kind, depth) })));
  const own = type.hasExpression ? expression.map((it) => ({ expression: it })) : fc.constant({});
  const block = type.options.has('steps') ? steps(depth - 1).map((it) => ({ steps: it })) : fc.constant({});
  return fc.tuple(rest, one, own, block).map((all) => Object.assign({}, ...all) as Plain);
}

function value(kind: OptionType, depth: number): fc.Arbitrary<unknown> {
  const list = (item: fc.Arbitrary<unknown>) => (kind.isList ? fc.array(item, { minLength: 1, maxLength: 2 }) : item);
  if (kind.kind === 'text') return list(kind.isList ? name : text);
  if (kind.kind === 'boolean') return fc.boolean();
  if (kind.kind === 'number') return fc.integer({ min: 0, max: 99 });
  if (kind.kind === 'choice') return fc.constantFrom(...kind.values);
  if (kind.kind === 'expression' || kind.element === 'OnWhen') return expression;
  return list(options(elementType(kind.element), depth - 1));
}

const expression: fc.Arbitrary<Plain> = fc
  .constantFrom(...RUN_LANGUAGES.filter((language) => language !== 'language'))
  .chain((language) => options(elementType(LANGUAGES.get(language) ?? ''), 0).map((it) => ({ [language]: it })));

function step(depth: number): fc.Arbitrary<Plain> {
  const kinds = RUN_STEPS.filter((kind) => depth > 0 || !isBlock(elementType(STEPS.get(kind) ?? '')));
  return fc
    .constantFrom(...kinds)
    .chain((kind) => options(elementType(STEPS.get(kind) ?? ''), depth).map((it) => ({ [kind]: it })));
}

/** It has steps, or parts that have. */
const isBlock = ({ options: all }: ElementType): boolean =>
  all.has('steps') ||
  [...all.values()].some(
    ({ kind, element }) => kind === 'element' && element !== 'Processor' && elementType(element).options.has('steps'),
  );

const steps = (depth: number): fc.Arbitrary<Plain[]> =>
  fc.array(fc.noShrink(step(depth)), { minLength: 1, maxLength: 2 });

/** YAML of files that hold one route, with any of the steps that are run, and any of their options. */
export const routeTexts: fc.Arbitrary<string> = fc
  .tuple(options({ ...elementType('Route'), options: routeOptions() }, 2), steps(2), name, text)
  .map(([route, block, id, description]) =>
    stringify([{ route: { id, description, ...route, from: { uri: 'direct:a', steps: block } } }]),
  );

function routeOptions(): ReadonlyMap<string, OptionType> {
  const left = ['from', 'errorHandler', 'inputType', 'outputType', 'description'];
  return new Map([...elementType('Route').options].filter(([option]) => !left.includes(option)));
}
