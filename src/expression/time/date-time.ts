import { badTime } from '../errors.js';
import { addDuration, daysInMonth, isDuration, parseDuration } from './duration.js';
import { splitZone, type Zone } from './zone.js';

const EXPECTED = "a date of ISO 8601 such as '2026-01-31', '2026-01-31T08:00:00Z' or '2026-01-31T08:00:00+01:00'";
const PATTERN =
  /^(?<year>\d{4})-(?<month>\d\d)(?:-(?<day>\d\d))?(?:T(?<hour>\d\d)(?::(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?)?(?<offset>Z|[-+]\d\d(?::?\d\d)?)?)?$/i;

/**
 * The instant, in ms since 1970, of a calendar date and time of ISO 8601 §5.4. Without an offset it is in its
 * zone (`[Europe/Berlin]` behind it), else UTC; without a time, midnight; what is
 * finer than a millisecond is cut off. @throws BAD_REQUEST (names the text and what was expected)
 */
export function parseDateTime(text: string): number {
  const { plain, zone } = splitZone(text);
  return parseDateTimeIn(plain, zone);
}

/** As {@link parseDateTime}, in a zone. */
export function parseDateTimeIn(text: string, zone: Zone): number {
  const parts = PATTERN.exec(text.trim())?.groups;
  if (parts === undefined) throw badTime(text, EXPECTED);
  const number = (name: string, otherwise = 0): number => (parts[name] === undefined ? otherwise : Number(parts[name]));
  const year = number('year');
  const month = number('month') - 1;
  const day = number('day', 1);
  if (month < 0 || month > 11 || day < 1 || day > daysInMonth(year, month)) {
    throw badTime(text, `${EXPECTED}, with a day that the calendar has`);
  }
  const [hour, minute, second] = [number('hour'), number('minute'), number('second')];
  const midnightAfter = hour === 24 && minute === 0 && second === 0 && number('fraction') === 0;
  if ((hour > 23 && !midnightAfter) || minute > 59 || second > 59) {
    throw badTime(text, `${EXPECTED}, with a time that the clock shows`);
  }
  const fraction = Number((parts.fraction ?? '').padEnd(3, '0').slice(0, 3));
  // Date.UTC takes the years 0 to 99 for 1900 to 1999.
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  const local = date.setUTCHours(hour, minute, second, fraction);
  return parts.offset === undefined ? zone.instantOf(local) : local - offsetMs(text, parts.offset);
}

function offsetMs(text: string, offset: string): number {
  if (offset.toUpperCase() === 'Z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(':', ''));
  if (hours > 18 || minutes > 59) throw badTime(text, `${EXPECTED}, with an offset of at most 18 hours`);
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

const INSTANT_EXPECTED =
  "a date of ISO 8601 such as '2026-01-31T08:00:00Z', or a duration such as 'PT15M' or 'P1DT12H'";

/**
 * The instant, in ms, that a text means: a date, or a duration from `now` on, whose days and months are those of its zone. Camunda takes both for both, wherever a timer has one of them.
 * @throws BAD_REQUEST (names the text and what was expected)
 */
export function parseInstant(text: string, now: number): number {
  const { plain, zone } = splitZone(text);
  if (isDuration(plain)) return addDuration(now, parseDuration(plain), 1, zone);
  // As in Camunda, a year alone is its begin.
  if (/^\s*\d{4}\s*$/.test(plain)) return parseDateTimeIn(`${plain.trim()}-01`, zone);
  if (!/^\s*\d{4}-/.test(text)) throw badTime(text, INSTANT_EXPECTED);
  return parseDateTime(text);
}
