import type { FeelValue } from './feel-value.js';

/**
 * The most of what models say is a value, a comparison with one, or a name: read here in no time, and evaluated as the library would. Undefined: what is
 * written, or what it looks at, is more than that.
 */

/** Whether a value, which is no list or other object, passes. */
export type SimpleTests = (input: string | number | boolean | null) => boolean;

const TEXT = '"[^"\\\\]*"';
const NUMBER = '-?(?:\\d{1,15}(?:\\.\\d{1,15})?|\\.\\d{1,15})';
const ONE = `\\s*(?:(${TEXT})|(${NUMBER})|(true|false|null)|(<=|>=|<|>)\\s*(${NUMBER})|([[\\]()])\\s*(${NUMBER})\\s*\\.\\.\\s*(${NUMBER})\\s*([[\\]()]))\\s*`;
const ALL = new RegExp(`^${ONE}(?:,${ONE})*$`);
const NOT = /^\s*not\s*\(([\s\S]*)\)\s*$/;

/** Tests of values, comparisons and ranges of numbers. */
export function simpleTests(text: string): SimpleTests | undefined {
  const negated = NOT.exec(text)?.[1];
  const body = negated ?? text;
  if (body.length > LENGTH_MAX || !ALL.test(body)) return undefined;
  const tests = [...body.matchAll(new RegExp(ONE, 'g'))].map(testOf);
  const passes: SimpleTests = (input) => tests.some((test) => test(input));
  return negated === undefined ? passes : (input) => !passes(input);
}

/** What is longer is left to the library. */
const LENGTH_MAX = 1_000;

function testOf([, text, number, word, operator, operand, open, from, to, close]: RegExpMatchArray): SimpleTests {
  if (operator !== undefined) return comparison(operator, Number(operand));
  if (open !== undefined) return range(open, Number(from), Number(to), close ?? ']');
  const value = text === undefined ? constantOf(number, word) : text.slice(1, -1);
  return (input) => input === value;
}

const constantOf = (number: string | undefined, word: string | undefined) =>
  number === undefined ? (word === 'null' ? null : word === 'true') : Number(number);

function comparison(operator: string, operand: number): SimpleTests {
  switch (operator) {
    case '<':
      return (input) => typeof input === 'number' && input < operand;
    case '<=':
      return (input) => typeof input === 'number' && input <= operand;
    case '>':
      return (input) => typeof input === 'number' && input > operand;
    default:
      return (input) => typeof input === 'number' && input >= operand;
  }
}

/** `]1..2[` is `(1..2)`. */
function range(open: string, from: number, to: number, close: string): SimpleTests {
  const withStart = open === '[';
  const withEnd = close === ']';
  return (input) =>
    typeof input === 'number' && (withStart ? input >= from : input > from) && (withEnd ? input <= to : input < to);
}

const CONSTANT = new RegExp(`^\\s*(?:(${TEXT})|(${NUMBER})|(true|false|null))\\s*$`);

/** A value that is written. */
export function simpleConstant(text: string): { readonly value: FeelValue } | undefined {
  const match = CONSTANT.exec(text);
  if (match === null) return undefined;
  const [, written, number, word] = match;
  return { value: written === undefined ? constantOf(number, word) : written.slice(1, -1) };
}

const PATH = /^\s*[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\s*$/;

/** Words that mean something else where they stand alone. */
const WORDS = new Set(
  'and between date duration else every external false for function if in instance item not null of or partial return satisfies some then time true'.split(
    ' ',
  ),
);

/** A name, and those within its value. */
export function simplePath(text: string): readonly [string, ...string[]] | undefined {
  if (!PATH.test(text)) return undefined;
  const [first = '', ...names] = text.trim().split('.');
  return WORDS.has(first) || names.some((name) => WORDS.has(name)) ? undefined : [first, ...names];
}

/** The value at a path; undefined where there is none, or it leads through a list or anything but a context. */
export function valueAt(start: FeelValue | undefined, names: readonly string[]): FeelValue | undefined {
  let value: FeelValue | undefined = start;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
      return undefined;
    value = Object.hasOwn(value, name) ? (value as Readonly<Record<string, FeelValue>>)[name] : undefined;
  }
  return value;
}
