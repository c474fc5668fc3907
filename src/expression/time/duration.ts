import { badTime } from '../errors.js';
import { UTC, type Zone } from './zone.js';

/** A length of time as ISO 8601 §5.5.2 writes it. Months and days are counted in the calendar, the rest in ms. */
export interface Duration {
  readonly months: number;
  readonly days: number;
  readonly ms: number;
}

const EXPECTED = "a duration of ISO 8601 such as 'PT15M', 'P1DT12H' or 'P2W'";
const PATTERN =
  /^(?<sign>[-+]?)P(?!$)(?:(?<years>\d+)Y)?(?:(?<months>\d+)M)?(?:(?<weeks>\d+(?:[.,]\d+)?)W)?(?:(?<days>\d+(?:[.,]\d+)?)D)?(?:T(?=\d)(?:(?<hours>\d+(?:[.,]\d+)?)H)?(?:(?<minutes>\d+(?:[.,]\d+)?)M)?(?:(?<seconds>\d+(?:[.,]\d+)?)S)?)?$/;
/** A longer text is no duration, and its numbers could not be kept exactly. */
const LENGTH_MAX = 64;
const AMOUNT_MAX = 1e9;

const DAY_MS = 86_400_000;
/** ECMAScript's range of instants, in ms around 1970. */
const INSTANT_MAX = 8.64e15;

/** Reads `P1Y2M3DT4H5M6.5S`, `P2W`, `-PT1H`. @throws BAD_REQUEST (names the text and what was expected) */
export function parseDuration(text: string): Duration {
  const parts = text.length <= LENGTH_MAX ? PATTERN.exec(text.trim())?.groups : undefined;
  if (parts === undefined) throw badTime(text, EXPECTED);
  const amount = (name: string): number => {
    const value = Number((parts[name] ?? '0').replace(',', '.'));
    if (value > AMOUNT_MAX) throw badTime(text, `a duration with numbers up to ${AMOUNT_MAX}`);
    return value;
  };
  const sign = parts.sign === '-' ? -1 : 1;
  const days = amount('weeks') * 7 + amount('days');
  const rest = Math.round((days % 1) * DAY_MS);
  const time = amount('hours') * 3_600_000 + amount('minutes') * 60_000 + amount('seconds') * 1000;
  return {
    months: positive(sign * (amount('years') * 12 + amount('months'))),
    days: positive(sign * Math.trunc(days)),
    ms: positive(sign * (Math.round(time) + rest)),
  };
}

/**
 * The instant `times` durations after `ms` (before it where the duration is negative). Days and months are those of the zone's calendar. Months go first and keep the day where the
 * month has it, else take its last day: 31 January + P1M is 28 or 29 February. @throws BAD_REQUEST beyond ECMAScript's range of dates
 */
export function addDuration(ms: number, duration: Duration, times = 1, zone: Zone = UTC): number {
  const result = addCalendar(ms, duration, times, zone) + duration.ms * times;
  if (!(Math.abs(result) <= INSTANT_MAX)) {
    throw badTime(textOf(duration), 'a duration that leads to a date within 271,821 years of 1970');
  }
  return result;
}

const textOf = ({ months, days, ms }: Duration) => `P${months}M${days}DT${ms / 1000}S`;

/** About how long it is, in ms: months count a 400-year cycle's mean. Exact where there are no months. */
export const approximateMs = (duration: Duration): number =>
  duration.months * ((146_097 / 4800) * DAY_MS) + duration.days * DAY_MS + duration.ms;

export const negated = (duration: Duration): Duration => ({
  months: positive(-duration.months),
  days: positive(-duration.days),
  ms: positive(-duration.ms),
});

/** Whether the text looks like a duration rather than a date. */
export const isDuration = (text: string): boolean => /^[-+]?P/.test(text);

function addCalendar(ms: number, { months, days }: Duration, times: number, zone: Zone): number {
  if (months === 0 && days === 0) return ms;
  const local = zone.localOf(ms);
  return zone.instantOf((months === 0 ? local : addMonths(local, months * times)) + days * DAY_MS * times);
}

function addMonths(ms: number, months: number): number {
  const date = new Date(ms);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  date.setUTCDate(Math.min(day, daysInMonth(date.getUTCFullYear(), date.getUTCMonth())));
  return date.getTime();
}

/** How many days the month has; `month` counts from 0. */
export function daysInMonth(year: number, month: number): number {
  if (month === 1) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 3 || month === 5 || month === 8 || month === 10 ? 30 : 31;
}

/** -0 is a surprise in JSON and in deepEqual. */
const positive = (value: number): number => (value === 0 ? 0 : value);
