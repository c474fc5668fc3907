import type { FeelFunction } from 'feelin';
import { compared, dividedBy, minus, negated, ofMonths, plus, times } from './feel-arithmetic.js';
import { type Call, type Entry, library } from './feel-call.js';
import { CAMUNDA_FUNCTIONS, inTimeZone } from './feel-camunda.js';
import { during, INTERVAL_FUNCTIONS } from './feel-interval.js';
import { LIST_FUNCTIONS } from './feel-list.js';
import { NAMED_FUNCTIONS, withOtherNames } from './feel-names.js';
import { refused } from './feel-note.js';
import { matches, replace } from './feel-pattern.js';
import { eachOf, interval, rangeOf, stepped } from './feel-range.js';
import { readAt, readDate, readDateTime, readTime } from './feel-temporal.js';
import { isOfType } from './feel-type.js';
import type { FeelValue } from './feel-value.js';
import { feelin } from './feelin.js';

// Functions of FEEL that the library has not, or otherwise than the standard has them. They are given to an expression as variables are, so a variable of
// the same name counts first.

interface Own {
  readonly parameters: readonly string[];
  readonly call: Call;
}

const made = new Map<string, FeelFunction>();

/** A function of ours; undefined where it is the library's. */
export function ownFunction(name: string): FeelFunction | undefined {
  const known = made.get(name);
  const own = known === undefined ? OWN.get(name) : undefined;
  if (own === undefined) return known;
  const { FeelFunction } = feelin();
  const built = new FeelFunction(own.call as (...values: unknown[]) => unknown, [...own.parameters]);
  made.set(name, built);
  return built;
}

const invalid = (name: string, value: unknown) => refused(`${name}('${String(value)}') is not a valid ${name}`);

/** A text is read here, everything else by the library. */
const dateOf: Call = (year, month, day, from) => {
  const text = typeof year === 'string' && month === undefined ? year : from;
  if (typeof text === 'string') return readDate(text) ?? library('date', [text]);
  return library('date', [year, month, day, from]);
};

const timeOf: Call = (hour, minute, second, offset, from) => {
  const text = typeof hour === 'string' && minute === undefined ? hour : from;
  if (typeof text === 'string') return readTime(text) ?? invalid('time', text);
  if (typeof second !== 'number' || Number.isInteger(second))
    return library('time', [hour, minute, second, offset, from]);
  const whole = library('time', [hour, minute, Math.floor(second), offset, from]);
  const { FeelTime } = feelin();
  if (!(whole instanceof FeelTime)) return whole;
  const nanoseconds = Math.round((second % 1) * 1e9);
  return new FeelTime(whole.unwrap().add({ nanoseconds }), whole.zone);
};

const dateAndTimeOf: Call = (date, time, from, timezone = time) => {
  if (typeof timezone === 'string') return inTimeZone(date, timezone);
  const text = typeof date === 'string' && time === undefined ? date : from;
  if (typeof text === 'string') return readDateTime(text) ?? invalid('date and time', text);
  return library('date and time', [date, time, from]);
};

const yearsAndMonths: Call = (from, to) => {
  const { FeelDate, FeelDateTime } = feelin();
  const dayOf = (value: FeelValue | undefined) => {
    if (value instanceof FeelDate) return value.unwrap();
    return value instanceof FeelDateTime ? value.unwrap().toPlainDate() : null;
  };
  const one = dayOf(from);
  const other = dayOf(to);
  if (one === null || other === null) return refused('years and months duration expects two dates');
  return ofMonths(one.until(other, { largestUnit: 'month' }).months);
};

/** The scale of a decimal of 34 digits. */
const SCALE_MAX = 6_176;
const SCALE_MIN = -6_111;

const rounded =
  (name: string): Call =>
  (n, scale) => {
    if (typeof scale === 'number' && (scale > SCALE_MAX || scale < SCALE_MIN))
      return refused(`${name} expects a scale between ${SCALE_MIN} and ${SCALE_MAX}`);
    const values = scale === undefined ? [n] : [n, typeof scale === 'number' ? Math.trunc(scale) : scale];
    return library(name, values);
  };

const isSame: Call = (one, other) => {
  const { FeelDuration } = feelin();
  if (one instanceof FeelDuration && other instanceof FeelDuration && one.yearsMonths !== other.yearsMonths)
    return false;
  return library('is', [one, other]);
};

/** By Camunda's names of the ways to round; `decimal` of the standard goes to the even one. */
const MODES: Readonly<Record<string, string>> = {
  up: 'round up',
  down: 'round down',
  ceiling: 'ceiling',
  floor: 'floor',
  half_up: 'round half up',
  half_down: 'round half down',
  half_even: 'decimal',
};

/** A number that has no more digits than that. */
const unrounded: Call = (n, scale) => {
  const value = rounded('round down')(n, scale);
  return value === n ? value : refused(`decimal expects a number of no more than ${String(scale)} digits`);
};

const decimal: Call = (n, scale, mode) => {
  if (mode === undefined) return rounded('decimal')(n, scale);
  if (typeof mode === 'string' && mode.toLowerCase() === 'unnecessary') return unrounded(n, scale);
  const name = typeof mode === 'string' ? MODES[mode.toLowerCase()] : undefined;
  return name === undefined ? refused(`'${String(mode)}' is no way to round`) : rounded(name)(n, scale);
};

/** A function whose parameters take values of these types alone; one without a name takes any. */
const typed: Call = (value, types) => {
  const { FeelFunction } = feelin();
  if (!(value instanceof FeelFunction)) return value ?? null;
  const wanted = types as readonly string[];
  const call = (...given: FeelValue[]): unknown => {
    const wrong = given.findIndex((each, at) => each != null && !fits(each, wanted[at] ?? ''));
    return wrong === -1 ? value.fn(...given) : refused(`a function expects a value of type '${wanted[wrong]}'`);
  };
  return new FeelFunction(call, [...value.parameterNames]);
};

const fits = (value: FeelValue, type: string): boolean => !KNOWN_TYPE.test(type) || isOfType(value, type);

/** Types of FEEL; others are those of a model. */
const KNOWN_TYPE = /^(?:number|string|boolean|date|time|date and time|(?:days and time|years and months) duration)$/;

const text = (value: FeelValue | undefined): string => (typeof value === 'string' ? value : '');

const ENTRIES: readonly Entry[] = [
  ...CAMUNDA_FUNCTIONS,
  ...LIST_FUNCTIONS,
  ...NAMED_FUNCTIONS,
  ['+', ['a', 'b'], (a = null, b = null) => plus(a, b)],
  ['-', ['a', 'b'], (a = null, b = null) => minus(a, b)],
  ['*', ['a', 'b'], (a = null, b = null) => times(a, b)],
  ['/', ['a', 'b'], (a = null, b = null) => dividedBy(a, b)],
  ['=', ['a', 'b'], (a = null, b = null) => compared('=', a, b)],
  ['!=', ['a', 'b'], (a = null, b = null) => compared('!=', a, b)],
  ['-x', ['value'], (value = null) => negated(value)],
  ['..', ['start', 'end'], (start = null, end = null) => stepped(start, end)],
  [
    '[..]',
    ['start', 'end', 'brackets'],
    (start = null, end = null, brackets = '') => interval(start, end, text(brackets)),
  ],
  [
    '[..] each',
    ['start', 'end', 'brackets'],
    (start = null, end = null, brackets = '') => eachOf(start, end, text(brackets)),
  ],
  ['refused', ['reason'], (reason) => refused(text(reason))],
  ['typed', ['function', 'types'], typed],
  ['@', ['text'], (value) => readAt(text(value)) ?? invalid('@', value)],
  ['instance of', ['value', 'type'], (value = null, type = '') => isOfType(value, text(type))],
  ['date', ['year', 'month', 'day', 'from'], dateOf],
  ['time', ['hour', 'minute', 'second', 'offset', 'from'], timeOf],
  ['date and time', ['date', 'time', 'from', 'timezone'], dateAndTimeOf],
  ['years and months duration', ['from', 'to'], yearsAndMonths],
  ['matches', ['input', 'pattern', 'flags'], matches],
  ['replace', ['input', 'pattern', 'replacement', 'flags'], replace],
  ['range', ['from'], (from) => rangeOf(from)],
  ['during', ['a', 'b'], during],
  ['is', ['value1', 'value2'], isSame],
  ['decimal', ['n', 'scale', 'mode'], decimal],
  ...['round up', 'round down', 'round half up', 'round half down'].map(
    (name): Entry => [name, ['n', 'scale'], rounded(name)],
  ),
  ...INTERVAL_FUNCTIONS.map(({ name, parameters, call }): Entry => [name, parameters, call]),
];

const OWN: ReadonlyMap<string, Own> = new Map(
  ENTRIES.map(withOtherNames).map(([name, parameters, call]) => [name, { parameters, call }]),
);
