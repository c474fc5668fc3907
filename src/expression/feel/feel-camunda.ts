import { type Call, type Entry, library } from './feel-call.js';
import { refused } from './feel-note.js';
import { patternOf } from './feel-pattern.js';
import { readDateTime } from './feel-temporal.js';
import { type FeelValue, weigh } from './feel-value.js';
import { feelin } from './feelin.js';

// Functions that Camunda 8 has beside those of the standard, and arguments that it has beside the standard's.

/** A condition that had to hold does not: the whole expression fails. */
export class AssertionFailed extends Error {}

type Context = Readonly<Record<string, FeelValue>>;

const isContext = (value: unknown): value is Context =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
const isList = (value: unknown): value is readonly FeelValue[] => Array.isArray(value);

const assertion: Call = (value = null, condition = null, cause = null) => {
  if (condition === true) return value;
  throw new AssertionFailed(typeof cause === 'string' ? cause : 'the condition of its assertion is not fulfilled');
};

const entryOf = (value: FeelValue | undefined, key: FeelValue): FeelValue =>
  isContext(value) && typeof key === 'string' && Object.hasOwn(value, key) ? (value[key] ?? null) : null;

/** By a key, or by the keys on the way into contexts within contexts. */
const getValue: Call = (m, key, context = m, keys = key) => {
  if (!isContext(context)) return refused('get value expects a context');
  if (typeof keys === 'string') return entryOf(context, keys);
  if (!isList(keys)) return refused('get value expects a key, or a list of keys');
  return keys.length === 0 ? null : keys.reduce<FeelValue>(entryOf, context);
};

const joined: Call = (list, delimiter, prefix, suffix) => {
  const text = library('string join', [list, delimiter ?? null]);
  if (typeof text !== 'string' || (prefix == null && suffix == null)) return text;
  if (typeof prefix !== 'string' || typeof suffix !== 'string')
    return refused('string join expects its prefix and its suffix as texts');
  return prefix + text + suffix;
};

const partition: Call = (list, size) => {
  const count = typeof size === 'number' ? Math.trunc(size) : 0;
  if (!isList(list) || count < 1) return refused('partition expects a list, and a size of at least 1');
  return Array.from({ length: Math.ceil(list.length / count) }, (_each, at) =>
    list.slice(at * count, (at + 1) * count),
  );
};

const duplicates: Call = (list = null) => {
  const distinct = library('distinct values', [list]);
  if (!isList(distinct)) return distinct;
  const items = isList(list) ? list : [list];
  return distinct.filter((each) => items.filter((item) => isSame(each, item)).length > 1);
};

const isSame = (one: FeelValue, other: FeelValue): boolean =>
  (library('distinct values', [[one, other]]) as readonly FeelValue[]).length === 1;

const extract: Call = (string, pattern) => {
  if (typeof string !== 'string' || typeof pattern !== 'string') return refused('extract expects a text and a pattern');
  const found = patternOf(pattern, '', 'g');
  return found === null ? null : [...string.matchAll(found)].map(([match]) => match);
};

/** A function of one text; null of anything else. */
const ofText =
  (name: string, of: (text: string) => FeelValue): Call =>
  (value) =>
    typeof value === 'string' ? of(value) : refused(`${name} expects a text`);

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

const fromBase64 = (text: string): FeelValue =>
  BASE64.test(text) ? Buffer.from(text, 'base64').toString() : refused(`'${text}' is no Base64`);

/** Values that a text may hold, and levels of lists and contexts within each other. */
const JSON_WEIGHT_MAX = 100_000;
const JSON_DEPTH_MAX = 400;

function fromJson(text: string): FeelValue {
  let value: FeelValue;
  try {
    value = JSON.parse(text) as FeelValue;
  } catch {
    return refused('from json expects a text of JSON');
  }
  const isLarge = isDeep(value, JSON_DEPTH_MAX) || weigh(value, JSON_WEIGHT_MAX) >= JSON_WEIGHT_MAX;
  return isLarge ? refused('from json expects fewer values, and fewer within each other') : value;
}

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeep(each, levels - 1));
}

/** Dates, times, durations and ranges as their texts; a function is null. */
const toJson: Call = (value = null) =>
  JSON.stringify(value, (_name, each: FeelValue) => {
    if (each instanceof feelin().FeelFunction) return null;
    return typeof each !== 'object' || each === null || isList(each) || isContext(each) ? each : String(each);
  });

const lastDayOfMonth: Call = (date) => {
  const { FeelDate, FeelDateTime } = feelin();
  if (!(date instanceof FeelDate || date instanceof FeelDateTime))
    return refused('last day of month expects a date, or a date and time');
  const day = date instanceof FeelDate ? date.unwrap() : date.unwrap().toPlainDate();
  return new FeelDate(day.with({ day: day.daysInMonth }));
};

/** A date and time in another zone; what has none is in that one. */
export function inTimeZone(value: FeelValue | undefined, timezone: string): FeelValue {
  const { FeelDateTime } = feelin();
  const zone = /^(?:Z|[+-]\d\d:\d\d)$/.test(timezone) ? timezone : `@${timezone}`;
  if (!(value instanceof FeelDateTime)) return refused('date and time expects a date and time, and a zone');
  const zoned = readDateTime(`2000-01-01T00:00:00${zone}`)?.zone;
  if (zoned == null) return refused(`'${timezone}' is no time zone`);
  const local = value.unwrap();
  const there = value.zone === null ? local : local.toZonedDateTime(value.zone).withTimeZone(zoned).toPlainDateTime();
  return new FeelDateTime(there, zoned);
}

const toUnix: Call = (value) => {
  const { FeelDateTime } = feelin();
  if (!(value instanceof FeelDateTime)) return refused('to unix timestamp expects a date and time');
  return Math.floor(value.unwrap().toZonedDateTime(value.zone ?? 'UTC').epochMilliseconds / 1000);
};

/** Of what a Date of JavaScript holds. */
const SECONDS_MAX = 8.64e12;

const fromUnix: Call = (seconds) => {
  if (typeof seconds !== 'number' || !(Math.abs(seconds) <= SECONDS_MAX))
    return refused('from unix timestamp expects a number of seconds');
  return feelin().dateAndTime(new Date(Math.trunc(seconds) * 1000).toISOString());
};

/** A repeating interval, as timers take it: `cycle(interval)`, `cycle(repetitions, interval)`. */
const cycle: Call = (first, second) => {
  const { FeelDuration } = feelin();
  const [repetitions, interval] = second === undefined ? [null, first] : [first, second];
  if (!(interval instanceof FeelDuration) || (repetitions != null && typeof repetitions !== 'number'))
    return refused('cycle expects a duration, behind how often it comes');
  return `R${repetitions ?? ''}/${String(interval)}`;
};

const MERGED = (...contexts: readonly (FeelValue | undefined)[]) => library('context merge', contexts);

export const CAMUNDA_FUNCTIONS: readonly Entry[] = [
  ['is defined', ['value'], (value = null) => value !== null],
  ['get or else', ['value', 'default'], (value = null, otherwise = null) => value ?? otherwise],
  ['assert', ['value', 'condition', 'cause'], assertion],
  ['get value', ['m', 'key', 'context', 'keys'], getValue],
  [
    'put',
    ['context', 'key', 'value'],
    (context, key, value) => library('context put', [context, [key ?? null], value]),
  ],
  ['put all', ['...contexts'], MERGED],
  ['string join', ['list', 'delimiter', 'prefix', 'suffix'], joined],
  ['is empty', ['list'], (list) => (isList(list) ? list.length === 0 : refused('is empty expects a list'))],
  ['partition', ['list', 'size'], partition],
  ['duplicate values', ['list'], duplicates],
  ['extract', ['string', 'pattern'], extract],
  ['trim', ['string'], ofText('trim', (text) => text.trim())],
  ['is blank', ['string'], ofText('is blank', (text) => text.trim() === '')],
  ['to base64', ['value'], ofText('to base64', (text) => Buffer.from(text).toString('base64'))],
  ['from base64', ['value'], ofText('from base64', fromBase64)],
  ['from json', ['value'], ofText('from json', fromJson)],
  ['to json', ['value'], toJson],
  ['last day of month', ['date'], lastDayOfMonth],
  ['from unix timestamp', ['timestamp'], fromUnix],
  ['to unix timestamp', ['date'], toUnix],
  ['cycle', ['repetitions', 'interval'], cycle],
];
