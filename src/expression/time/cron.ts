import { type CronFields, type DayRule, parseCronFields } from './cron-fields.js';
import { daysInMonth } from './duration.js';
import { UTC, type Zone } from './zone.js';

const DAY_MS = 86_400_000;
const LAST_YEAR = 2299;

/**
 * Quartz' cron expression: `seconds minutes hours day-of-month month day-of-week [year]`, by the clocks of a zone. Gives the function that finds the first
 * matching second later than a given instant, or null when there is none until 2299. What falls into the hour that clocks leave out comes an hour later; into the one
 * that they show twice it comes once, unless it comes every hour. @throws BAD_REQUEST (names the text and the field)
 */
export function parseCron(text: string, zone: Zone = UTC): (ms: number) => number | null {
  const fields = parseCronFields(text);
  const next = nextOf(fields);
  if (zone === UTC) return next;
  return (ms) => (fields.hours.length === HOURS ? nextElapsed(next, ms, zone) : nextShown(next, ms, zone));
}

/** Whatever clocks do, the next time that is later. */
function nextShown(next: NextTime, ms: number, zone: Zone): number | null {
  for (let local = next(zone.localOf(ms)); local !== null; local = next(local)) {
    const at = zone.instantOf(local);
    if (at > ms) return at;
  }
  return null;
}

/** Of what comes every hour: an hour that clocks show twice is two hours. */
function nextElapsed(next: NextTime, ms: number, zone: Zone): number | null {
  const offset = zone.localOf(ms) - ms;
  const local = next(ms + offset);
  if (local === null) return null;
  const at = local - offset;
  if (zone.localOf(at) === local) return at;
  const turn = turnBetween(ms, at, zone);
  const first = next(zone.localOf(turn) - 1);
  return first === null ? null : turn + (first - zone.localOf(turn));
}

/** When between the two instants the clocks are put forward or back, to the second. */
function turnBetween(from: number, to: number, zone: Zone): number {
  const offset = zone.localOf(from) - from;
  let [before, after] = [Math.floor(from / 1000), Math.ceil(to / 1000)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (zone.localOf(middle * 1000) - middle * 1000 === offset) before = middle;
    else after = middle;
  }
  return after * 1000;
}

type NextTime = (ms: number) => number | null;

const HOURS = 24;

/** By a clock that is never put forward or back. */
function nextOf(fields: CronFields): NextTime {
  return (ms) => {
    // Quartz' years begin in 1970.
    const start = Math.max(0, Math.floor(ms / 1000) * 1000 + 1000);
    if (!(start < 8.64e15)) return null;
    const today = Math.floor(start / DAY_MS) * DAY_MS;
    const timeToday = matchesDay(fields, today) ? timeOfDay(fields, start - today) : null;
    if (timeToday !== null) return today + timeToday;
    const day = nextDay(fields, today + DAY_MS);
    const first = timeOfDay(fields, 0);
    return day === null || first === null ? null : day + first;
  };
}

/** The first matching time of a day at or after `from`, both in ms since midnight. */
function timeOfDay({ seconds, minutes, hours }: CronFields, from: number): number | null {
  const [hour, minute, second] = [Math.floor(from / 3_600_000), Math.floor(from / 60_000) % 60, (from / 1000) % 60];
  const at = (h: number, m: number, s: number) => ((h * 60 + m) * 60 + s) * 1000;
  const [firstSecond = 0] = seconds;
  const [firstMinute = 0] = minutes;
  if (hours.includes(hour)) {
    const sameMinute = minutes.includes(minute) ? seconds.find((s) => s >= second) : undefined;
    if (sameMinute !== undefined) return at(hour, minute, sameMinute);
    const later = minutes.find((m) => m > minute);
    if (later !== undefined) return at(hour, later, firstSecond);
  }
  const laterHour = hours.find((h) => h > hour);
  return laterHour === undefined ? null : at(laterHour, firstMinute, firstSecond);
}

/** The first matching day at or after midnight `from`; walks months that do not match in one step. */
function nextDay(fields: CronFields, from: number): number | null {
  let day = from;
  for (;;) {
    const date = new Date(day);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    if (year > LAST_YEAR) return null;
    if (!matchesMonth(fields, year, month)) {
      day = Date.UTC(year, month + 1, 1);
      continue;
    }
    if (matchesDay(fields, day)) return day;
    day += DAY_MS;
  }
}

const matchesMonth = ({ months, years }: CronFields, year: number, month: number): boolean =>
  months.includes(month + 1) && (years === null || years.includes(year));

function matchesDay(fields: CronFields, midnight: number): boolean {
  const date = new Date(midnight);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (!matchesMonth(fields, year, month)) return false;
  const calendar = { day: date.getUTCDate(), weekday: date.getUTCDay() + 1, year, month };
  return fields.days.some((rule) => matchesRule(rule, calendar));
}

interface CalendarDay {
  readonly day: number;
  /** 1 is Sunday. */
  readonly weekday: number;
  readonly year: number;
  /** 0 is January. */
  readonly month: number;
}

function matchesRule(rule: DayRule, { day, weekday, year, month }: CalendarDay): boolean {
  const last = daysInMonth(year, month);
  switch (rule.kind) {
    case 'every':
      return true;
    case 'day':
      return day === rule.day;
    case 'weekday':
      return weekday === rule.weekday;
    case 'lastDay':
      return day === last - rule.offset;
    case 'nthWeekday':
      return weekday === rule.weekday && Math.ceil(day / 7) === rule.nth;
    case 'lastWeekday':
      return weekday === rule.weekday && day > last - 7;
    case 'nearestWorkday': {
      const wanted = rule.day === 'last' ? last : rule.day;
      return wanted <= last && day === nearestWorkday(year, month, wanted, last);
    }
  }
}

/** The working day (Monday to Friday) nearest to the given day, within the month. */
function nearestWorkday(year: number, month: number, day: number, last: number): number {
  const weekday = new Date(Date.UTC(year, month, day)).getUTCDay();
  if (weekday === 6) return day === 1 ? 3 : day - 1;
  if (weekday === 0) return day === last ? day - 2 : day + 1;
  return day;
}
