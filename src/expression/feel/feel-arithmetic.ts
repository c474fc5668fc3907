import type { FeelDate, FeelDateTime, FeelDuration, FeelFunction, FeelTime } from 'feelin';
import { refused } from './feel-note.js';
import type { FeelValue } from './feel-value.js';
import { feelin } from './feelin.js';

// Sums, differences, products and quotients with dates, times and durations (DMN 1.5, tables 52 to 56); what the library has of them is asked of it.

const isDate = (value: unknown): value is FeelDate => value instanceof feelin().FeelDate;
const isTime = (value: unknown): value is FeelTime => value instanceof feelin().FeelTime;
const isDateTime = (value: unknown): value is FeelDateTime => value instanceof feelin().FeelDateTime;
const isDuration = (value: unknown): value is FeelDuration => value instanceof feelin().FeelDuration;

type Operator = '+' | '-' | '*' | '/' | '=' | '!=';

export function plus(a: FeelValue, b: FeelValue): FeelValue {
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (isDuration(a) && !isDuration(b)) return plus(b, a);
  return isDuration(b) ? moved(a, b, '+') : asked('+', a, b);
}

export function minus(a: FeelValue, b: FeelValue): FeelValue {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (isDuration(b)) return moved(a, b, '-');
  if (isTime(a) !== isTime(b)) return refused(`Can't subtract '${String(b)}' from '${String(a)}'`);
  if ((isDate(a) || isDateTime(a)) && (isDate(b) || isDateTime(b))) return secondsBetween(b, a);
  return asked('-', a, b);
}

export function times(a: FeelValue, b: FeelValue): FeelValue {
  if (typeof a === 'number' && typeof b === 'number') return a * b;
  if (isDuration(a) && typeof b === 'number') return scaled(a, b);
  return isDuration(b) && typeof a === 'number' ? scaled(b, a) : asked('*', a, b);
}

export function dividedBy(a: FeelValue, b: FeelValue): FeelValue {
  if (typeof a === 'number' && typeof b === 'number') return b === 0 ? null : a / b;
  if (isDuration(a) && typeof b === 'number' && b !== 0) return scaled(a, 1 / b);
  if (!isDuration(a) || !isDuration(b) || a.yearsMonths !== b.yearsMonths) return asked('/', a, b);
  const divisor = sizeOf(b);
  return divisor === 0 ? null : sizeOf(a) / divisor;
}

export function negated(value: FeelValue): FeelValue {
  if (typeof value === 'number') return 0 - value;
  return isDuration(value) ? scaled(value, -1) : asked('-', 0, value);
}

/** Lists are equal where all in them is; what cannot be compared in them is not equal. */
export function compared(sign: '=' | '!=', a: FeelValue, b: FeelValue): FeelValue {
  if (!Array.isArray(a) || !Array.isArray(b)) return asked(sign, a, b);
  return areEqual(a, b) === (sign === '=');
}

const areEqual = (a: readonly FeelValue[], b: readonly FeelValue[]): boolean =>
  a.length === b.length && a.every((each, at) => compared('=', each, b[at] ?? null) === true);

/** Something and a duration. A time has no months; a date stays one, whatever the hours. */
function moved(a: FeelValue, by: FeelDuration, operator: '+' | '-'): FeelValue {
  if (isTime(a) && by.yearsMonths)
    return refused(`Can't add or subtract the months of '${String(by)}' to '${String(a)}'`);
  const result = asked(operator, a, by);
  const { FeelDate } = feelin();
  return isDate(a) && isDateTime(result) ? new FeelDate(result.unwrap().toPlainDate()) : result;
}

/** What has no zone is in UTC. */
function secondsBetween(from: FeelDate | FeelDateTime, to: FeelDate | FeelDateTime): FeelValue {
  try {
    return ofSeconds(instantOf(to) - instantOf(from));
  } catch {
    return asked('-', to, from);
  }
}

const instantOf = (value: FeelDate | FeelDateTime): number =>
  Number(value.unwrap().toZonedDateTime(isDateTime(value) ? (value.zone ?? 'UTC') : 'UTC').epochNanoseconds) / 1e9;

/** Months of years and months, else seconds. */
function sizeOf(duration: FeelDuration): number {
  const { years, months, days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds } = duration.unwrap();
  if (duration.yearsMonths) return years * 12 + months;
  const fraction = milliseconds / 1e3 + microseconds / 1e6 + nanoseconds / 1e9;
  return days * 86_400 + hours * 3_600 + minutes * 60 + seconds + fraction;
}

/** Years and months are whole. */
function scaled(duration: FeelDuration, by: number): FeelValue {
  const size = sizeOf(duration) * by;
  return duration.yearsMonths ? ofMonths(Math.trunc(Number(size.toPrecision(15)))) : ofSeconds(size);
}

export function ofMonths(months: number): FeelValue {
  return feelin().duration(`${months < 0 ? '-' : ''}P${Math.abs(months)}M`) ?? refused('a duration is too long');
}

function ofSeconds(seconds: number): FeelValue {
  const size = Math.abs(seconds);
  const written = Number.isInteger(size) ? `${size}` : size.toFixed(9).replace(/0+$/, '').replace(/\.$/, '');
  const read = /^\d+(?:\.\d+)?$/.test(written) ? feelin().duration(`${seconds < 0 ? '-' : ''}PT${written}S`) : null;
  return read ?? refused('a duration is too long');
}

interface Compiled {
  readonly call: FeelFunction;
  readonly warnings: { readonly message: string }[];
}

const compiled = new Map<Operator, Compiled>();

/** What the library makes of two values. */
function asked(operator: Operator, a: FeelValue, b: FeelValue): FeelValue {
  let known = compiled.get(operator);
  if (known === undefined) {
    const { value, warnings } = feelin().evaluate(`function(a, b) a ${operator} b`);
    known = { call: value as FeelFunction, warnings };
    compiled.set(operator, known);
  }
  known.warnings.length = 0;
  const value = (known.call.fn(a, b) ?? null) as FeelValue;
  const [warning] = known.warnings;
  if (warning !== undefined) refused(warning.message);
  return value;
}
