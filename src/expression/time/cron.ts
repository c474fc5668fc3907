import { type CronFields, type DayRule, parseCronFields } from './cron-fields.js';
import { daysInMonth } from './duration.js';

const DAY_MS = 86_400_000;
const LAST_YEAR = 2299;

/**
 * Quartz' cron expression: `seconds minutes hours day-of-month month day-of-week [year]`, in UTC. Gives the function that finds the first
 * matching second later than a given instant, or null when there is none until 2299. @throws BAD_REQUEST (names the text and the field)
 */
export function parseCron(text: string): (ms: number) => number | null {
  const fields = parseCronFields(text);
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
