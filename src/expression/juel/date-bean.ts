import { addDuration, type Duration } from '../time/duration.js';
import { Failure } from './failure.js';

/**
 * A date in an expression: what `now()` and `dateTime()` give, and what a variable of type Date is. It has the useful methods of
 * java.util.Date and Joda's DateTime, all in UTC; it never changes, every method gives a new one.
 */
export class DateBean {
  /** ms since 1970 */
  readonly ms: number;

  constructor(ms: number) {
    this.ms = ms;
  }

  /** `date.time`, `date.year`: what the getter of that name gives. */
  property(name: string): unknown {
    return PROPERTIES.get(name)?.(new Date(this.ms));
  }

  call(method: string, args: readonly unknown[]): unknown {
    if (args.length === 0) return this.#withoutArgument(method);
    if (args.length > 1) return undefined;
    const moved = /^(plus|minus)(\w+)$/.exec(method);
    const unit = UNITS.get(moved?.[2] ?? '');
    if (unit !== undefined) return this.#moved(method, unit, moved?.[1] === 'minus' ? -1 : 1, args[0]);
    const change = CHANGES.get(method);
    if (change !== undefined) return this.#changed(change, amount(method, args[0]));
    return COMPARISONS.get(method)?.(this.ms, other(method, args[0]));
  }

  toString(): string {
    return Number.isNaN(new Date(this.ms).getTime()) ? 'Invalid Date' : new Date(this.ms).toISOString();
  }

  #withoutArgument(method: string): unknown {
    if (method === 'toString') return this.toString();
    if (method === 'toDate' || method === 'toDateTime') return this;
    if (method === 'withTimeAtStartOfDay') return new DateBean(Math.floor(this.ms / 86_400_000) * 86_400_000);
    if (!method.startsWith('get')) return undefined;
    return this.property(method.charAt(3).toLowerCase() + method.slice(4));
  }

  #moved(method: string, unit: Duration, sign: number, by: unknown): DateBean {
    return checked(addDuration(this.ms, unit, sign * amount(method, by)));
  }

  #changed(change: (date: Date, value: number) => void, value: number): DateBean {
    const date = new Date(this.ms);
    change(date, value);
    return checked(date.getTime());
  }
}

/** A date for expressions: `ms` since 1970. What a caller returns from its functions `now` and `dateTime`. */
export const dateBean = (ms: number): DateBean => new DateBean(ms);

const PROPERTIES: ReadonlyMap<string, (date: Date) => number> = new Map([
  ['time', (date: Date) => date.getTime()],
  ['millis', (date: Date) => date.getTime()],
  ['year', (date: Date) => date.getUTCFullYear()],
  // Of java.util.Date; its year, from 1900 on, is that of Joda's here.
  ['month', (date: Date) => date.getUTCMonth()],
  ['date', (date: Date) => date.getUTCDate()],
  ['day', (date: Date) => date.getUTCDay()],
  ['hours', (date: Date) => date.getUTCHours()],
  ['minutes', (date: Date) => date.getUTCMinutes()],
  ['seconds', (date: Date) => date.getUTCSeconds()],
  ['monthOfYear', (date: Date) => date.getUTCMonth() + 1],
  ['dayOfMonth', (date: Date) => date.getUTCDate()],
  ['dayOfWeek', (date: Date) => date.getUTCDay() || 7],
  ['hourOfDay', (date: Date) => date.getUTCHours()],
  ['minuteOfHour', (date: Date) => date.getUTCMinutes()],
  ['secondOfMinute', (date: Date) => date.getUTCSeconds()],
  ['millisOfSecond', (date: Date) => date.getUTCMilliseconds()],
]);

const UNITS: ReadonlyMap<string, Duration> = new Map([
  ['Millis', { months: 0, days: 0, ms: 1 }],
  ['Seconds', { months: 0, days: 0, ms: 1000 }],
  ['Minutes', { months: 0, days: 0, ms: 60_000 }],
  ['Hours', { months: 0, days: 0, ms: 3_600_000 }],
  ['Days', { months: 0, days: 1, ms: 0 }],
  ['Weeks', { months: 0, days: 7, ms: 0 }],
  ['Months', { months: 1, days: 0, ms: 0 }],
  ['Years', { months: 12, days: 0, ms: 0 }],
]);

const CHANGES: ReadonlyMap<string, (date: Date, value: number) => void> = new Map([
  ['withYear', (date: Date, value: number) => void date.setUTCFullYear(value)],
  ['withMonthOfYear', (date: Date, value: number) => void date.setUTCMonth(value - 1)],
  ['withDayOfMonth', (date: Date, value: number) => void date.setUTCDate(value)],
  ['withHourOfDay', (date: Date, value: number) => void date.setUTCHours(value)],
  ['withMinuteOfHour', (date: Date, value: number) => void date.setUTCMinutes(value)],
  ['withSecondOfMinute', (date: Date, value: number) => void date.setUTCSeconds(value)],
  ['withMillisOfSecond', (date: Date, value: number) => void date.setUTCMilliseconds(value)],
]);

const COMPARISONS: ReadonlyMap<string, (a: number, b: number) => boolean | number> = new Map([
  ['before', (a: number, b: number) => a < b],
  ['isBefore', (a: number, b: number) => a < b],
  ['after', (a: number, b: number) => a > b],
  ['isAfter', (a: number, b: number) => a > b],
  ['isEqual', (a: number, b: number) => a === b],
  ['equals', (a: number, b: number) => a === b],
  ['compareTo', (a: number, b: number): boolean | number => Math.sign(a - b)],
]);

function amount(method: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new Failure(`expected a whole number for ${method}, but found ${shown(value)}`);
}

function other(method: string, value: unknown): number {
  if (value instanceof Date) return value.getTime();
  throw new Failure(`expected a date for ${method}, but found ${shown(value)}`);
}

/** A Long beyond ±2^53 is none of JSON's values. */
const shown = (value: unknown): string =>
  typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'nothing');

function checked(ms: number): DateBean {
  if (Math.abs(ms) <= 8.64e15) return new DateBean(ms);
  throw new Failure('expected a date within 271,821 years of 1970');
}
