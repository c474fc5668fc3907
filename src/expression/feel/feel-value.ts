import type { FeelDate, FeelDateTime, FeelDuration, FeelFunction, FeelRange, FeelTime } from 'feelin';
import { feelin } from './feelin.js';

/** A value within FEEL. A list is an array, a context a plain object. */
export type FeelValue =
  | null
  | boolean
  | number
  | string
  | FeelDate
  | FeelTime
  | FeelDateTime
  | FeelDuration
  | FeelRange
  | FeelFunction
  | readonly FeelValue[]
  | { readonly [name: string]: FeelValue };

/**
 * A plain value as FEEL has it. A Date is a date and time without a zone, in UTC: what a model compares it with has none either. A bigint is a number,
 * with 15 digits. Lists and contexts are the very objects.
 */
export function toFeel(value: unknown): FeelValue {
  if (value === undefined) return null;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) return null;
    return feelin().dateAndTime(value.toISOString().replace(/(?:\.000)?Z$/, ''));
  }
  return value as FeelValue;
}

/**
 * A value of FEEL as plain JavaScript: a date and time is a Date (without a zone: in UTC), a date, a time and a duration their ISO 8601 texts, a range a
 * context of its ends; what is no number is null. Within lists and contexts, a date and time is text, too. A function is null: nobody else can call it.
 */
export function fromFeel(value: unknown): unknown {
  const { FeelDateTime } = feelin();
  if (value instanceof FeelDateTime) return dateOf(value) ?? value.toString();
  return plain(value);
}

function plain(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'object' && value !== null) return plainObject(value);
  return typeof value === 'function' || value === undefined ? null : value;
}

function plainObject(value: object): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (Object.getPrototypeOf(value) === Object.prototype) return contextOf(value);
  const { FeelDateTime, FeelRange, FeelFunction } = feelin();
  if (value instanceof FeelFunction) return null;
  if (value instanceof FeelDateTime) return dateOf(value)?.toISOString() ?? value.toString();
  return value instanceof FeelRange ? contextOf(value) : String(value);
}

const contextOf = (value: object) =>
  Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));

/** Undefined for a year that JavaScript's Date does not have. */
function dateOf(value: FeelDateTime): Date | undefined {
  const zoned = value.unwrap().toZonedDateTime(value.zone ?? 'UTC');
  const date = new Date(zoned.epochMilliseconds);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/**
 * How many values a list or context holds, itself included, as far as `max`; a long text counts as several. `ofRange`: what a range counts as, which may
 * be gone through.
 */
export function weigh(value: unknown, max: number, ofRange = 1): number {
  if (typeof value === 'string') return 1 + (value.length >> 6);
  if (typeof value !== 'object' || value === null) return 1;
  if (ofRange > 1 && value instanceof feelin().FeelRange) return ofRange;
  let weight = 1;
  for (const name in value) {
    weight += weigh(value[name as keyof typeof value], max - weight, ofRange);
    if (weight >= max) return max;
  }
  return weight;
}
