import { badTime } from '../errors.js';

/** A cron expression, read. Numbers in ascending order. */
export interface CronFields {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** 1 is January. */
  readonly months: readonly number[];
  /** null: every year. */
  readonly years: readonly number[] | null;
  /** A day matches when one of them does. */
  readonly days: readonly DayRule[];
}

/** Which days of a month. Weekdays: 1 is Sunday, 7 Saturday. */
export type DayRule =
  | { readonly kind: 'every' }
  | { readonly kind: 'day'; readonly day: number }
  /** `L`, `L-3` */
  | { readonly kind: 'lastDay'; readonly offset: number }
  /** `15W`, `LW` */
  | { readonly kind: 'nearestWorkday'; readonly day: number | 'last' }
  | { readonly kind: 'weekday'; readonly weekday: number }
  /** `6#3`: the third Friday */
  | { readonly kind: 'nthWeekday'; readonly weekday: number; readonly nth: number }
  /** `6L`: the last Friday */
  | { readonly kind: 'lastWeekday'; readonly weekday: number };

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Names of the numbers from `min` on. */
  readonly names?: readonly string[];
}

const SECONDS: Field = { name: 'seconds', min: 0, max: 59 };
const MINUTES: Field = { name: 'minutes', min: 0, max: 59 };
const HOURS: Field = { name: 'hours', min: 0, max: 23 };
const DAYS: Field = { name: 'day-of-month', min: 1, max: 31 };
const MONTH_NAMES = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const MONTHS: Field = { name: 'month', min: 1, max: 12, names: MONTH_NAMES };
const WEEKDAYS: Field = {
  name: 'day-of-week',
  min: 1,
  max: 7,
  names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'],
};
const YEARS: Field = { name: 'year', min: 1970, max: 2299 };

const EXPECTED = "a cron expression of six or seven fields, seconds first, such as '0 0/5 * * * ?'";
const LENGTH_MAX = 512;

/** Reads the fields of `seconds minutes hours day-of-month month day-of-week [year]`. @throws BAD_REQUEST (names the text and the field) */
export function parseCronFields(text: string): CronFields {
  const parts = text.trim().toUpperCase().split(/\s+/);
  if (text.length > LENGTH_MAX || parts.length < 6 || parts.length > 7) throw badTime(text, EXPECTED);
  const [seconds = '', minutes = '', hours = '', days = '', months = '', weekdays = '', years = '*'] = parts;
  const plain = (field: Field, value: string) => numbers(text, field, value);
  return {
    seconds: plain(SECONDS, seconds),
    minutes: plain(MINUTES, minutes),
    hours: plain(HOURS, hours),
    months: plain(MONTHS, months),
    years: years === '*' ? null : plain(YEARS, years),
    days: dayRules(text, days, weekdays),
  };
}

/** Quartz wants `?` in one of the two; `*` beside a restriction means the same. */
function dayRules(text: string, days: string, weekdays: string): DayRule[] {
  const open = (value: string) => value === '?' || value === '*';
  if (days === '?' && weekdays === '?') throw badTime(text, `${EXPECTED}, with '?' in one of the two day fields`);
  if (open(days) && open(weekdays)) return [{ kind: 'every' }];
  if (open(weekdays)) return days.split(',').flatMap((item) => dayOfMonth(text, item));
  if (open(days)) return weekdays.split(',').flatMap((item) => dayOfWeek(text, item));
  throw badTime(text, `${EXPECTED}, with '?' for either day-of-month or day-of-week`);
}

function dayOfMonth(text: string, item: string): DayRule[] {
  const last = /^L(?:-(\d\d?))?$/.exec(item);
  if (last !== null) {
    const offset = Number(last[1] ?? 0);
    if (offset > 30) throw badField(text, DAYS, item);
    return [{ kind: 'lastDay', offset }];
  }
  if (item === 'LW' || item === 'WL') return [{ kind: 'nearestWorkday', day: 'last' }];
  const workday = /^(\d\d?)W$/.exec(item)?.[1];
  if (workday !== undefined) return [{ kind: 'nearestWorkday', day: single(text, DAYS, workday) }];
  return numbers(text, DAYS, item).map((day) => ({ kind: 'day', day }));
}

function dayOfWeek(text: string, item: string): DayRule[] {
  if (item === 'L') return [{ kind: 'weekday', weekday: 7 }];
  const last = /^(\w+)L$/.exec(item)?.[1];
  if (last !== undefined) return [{ kind: 'lastWeekday', weekday: single(text, WEEKDAYS, last) }];
  const nth = /^(\w+)#([1-5])$/.exec(item);
  if (nth !== null) {
    return [{ kind: 'nthWeekday', weekday: single(text, WEEKDAYS, nth[1] ?? ''), nth: Number(nth[2]) }];
  }
  return numbers(text, WEEKDAYS, item).map((weekday) => ({ kind: 'weekday', weekday }));
}

/** A list of numbers, names, ranges and steps: `1,5-10,0/15,*`. A range may go past the end: `22-2`, `FRI-MON`. */
function numbers(text: string, field: Field, value: string): number[] {
  const found = new Set<number>();
  for (const item of value.split(',')) for (const number of range(text, field, item)) found.add(number);
  return [...found].sort((a, b) => a - b);
}

function range(text: string, field: Field, item: string): number[] {
  const parts = /^(?:(?<all>\*)|(?<from>\w+)(?:-(?<to>\w+))?)(?:\/(?<step>\d{1,4}))?$/.exec(item)?.groups;
  if (parts === undefined) throw badField(text, field, item);
  const size = field.max - field.min + 1;
  const step = Number(parts.step ?? 1);
  if (step < 1 || step > size) throw badField(text, field, item);
  const first = parts.from === undefined ? field.min : single(text, field, parts.from);
  // `7/5` goes on to the end of the field, as `*` does; `7` is itself alone.
  const otherwise = parts.from !== undefined && parts.step === undefined ? first : field.max;
  const last = parts.to === undefined ? otherwise : single(text, field, parts.to);
  return stepped(field, first, last < first ? last + size : last, step);
}

function stepped({ min, max }: Field, first: number, last: number, step: number): number[] {
  const result: number[] = [];
  for (let value = first; value <= last; value += step) result.push(value > max ? value - max - 1 + min : value);
  return result;
}

function single(text: string, field: Field, value: string): number {
  const named = field.names?.indexOf(value) ?? -1;
  if (named >= 0) return field.min + named;
  const number = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= field.min && number <= field.max)) throw badField(text, field, value);
  return number;
}

const badField = (text: string, { name, min, max, names }: Field, found: string) =>
  badTime(
    text,
    `a cron expression whose field ${name} has ${min}-${max}${names ? ` or ${names[0]}-${names[names.length - 1]}` : ''} (found '${found}' there)`,
  );
