import type { FeelDate, FeelDateTime, FeelDuration, FeelTime } from 'feelin';
import { feelin } from './feelin.js';

// Dates and times as texts, where the library reads otherwise than the standard has it (DMN 1.5, 10.3.4.1): years before 0 and beyond 9999, the end of a
// day, offsets that there are none.

export type Temporal = FeelDate | FeelTime | FeelDateTime;

/** The largest offset from UTC that a text may have. */
const OFFSET_HOURS_MAX = 18;
const ZONE = /(?:Z|[+-]\d\d:\d\d(?::\d\d)?|@.+)$/i;
const OFFSET = /[+-](\d\d):\d\d(?::\d\d)?(@.+)?$/;
const LONG_YEAR = /^(-?)(\d{4}|[1-9]\d{4,5})(-\d\d-\d\d)/;
/** As Java writes it: `+02:00[Europe/Berlin]`. */
const BRACKETED_ZONE = /(?:Z|[+-]\d\d:\d\d)\[([\w/+-]+)\]$/i;
const DAY_END = /T24:00:00(?:\.0+)?(?=$|[Z@+-])/i;

type DateTimes = { from(text: string): ReturnType<FeelDateTime['unwrap']> };
type Dates = { from(text: string): ReturnType<FeelDate['unwrap']> };

const constructorOf = (value: object) => value.constructor as unknown;

/** A date of FEEL, also before the year 0 and beyond 9999; undefined where it is none. */
export function readDate(text: string): FeelDate | undefined {
  const { parseDate, FeelDate } = feelin();
  const year = LONG_YEAR.exec(text);
  if (year === null || (year[1] === '' && year[2]?.length === 4)) return attempt(() => parseDate(text));
  const dates = constructorOf(parseDate('2000-01-01')?.unwrap() ?? {}) as Dates;
  return attempt(() => new FeelDate(dates.from(longYear(text))));
}

/** A time of FEEL; undefined where it is none. */
export function readTime(text: string): FeelTime | undefined {
  return hasZone(text) ? attempt(() => feelin().parseTime(text)) : undefined;
}

/** A date and time of FEEL; undefined where it is none. */
export function readDateTime(given: string): FeelDateTime | undefined {
  const text = given.replace(BRACKETED_ZONE, '@$1');
  if (text.includes('T') && !hasZone(text.slice(text.indexOf('T')))) return undefined;
  const { parseDateTime, FeelDateTime } = feelin();
  const year = LONG_YEAR.exec(text);
  const isEnd = DAY_END.test(text);
  if (!isEnd && (year === null || (year[1] === '' && year[2]?.length === 4))) return attempt(() => parseDateTime(text));
  const zoneText = text.includes('T') ? (ZONE.exec(text.slice(text.indexOf('T')))?.[0] ?? '') : '';
  return attempt(() => {
    const zoned = parseDateTime(`2000-01-01T00:00:00${zoneText}`);
    if (zoned === null) return null;
    const wall = text.slice(0, text.length - zoneText.length).replace(DAY_END, 'T00:00:00');
    const value = (constructorOf(zoned.unwrap()) as DateTimes).from(longYear(wall));
    return new FeelDateTime(isEnd ? value.add({ days: 1 }) : value, zoned.zone);
  });
}

/** Temporal value of a literal with an at sign, from the text behind the sign; undefined where it is none. */
export function readAt(text: string): FeelDate | FeelTime | FeelDateTime | FeelDuration | undefined {
  if (/^-?P/.test(text)) return attempt(() => feelin().duration(text));
  if (/^\d{1,2}:/.test(text)) return readTime(text);
  return text.includes('T') ? readDateTime(text) : readDate(text);
}

/** Whether the library reads a text as the standard has it. */
export const isUsual = (text: string): boolean =>
  !/^-\d/.test(text) &&
  !text.endsWith(']') &&
  !/^\d{5}/.test(text) &&
  !DAY_END.test(text) &&
  hasZone(text.replace(/^.*T/, 'T'));

/** An offset and a name together are no zone, nor is an offset of most of a day. */
function hasZone(time: string): boolean {
  if (!/^T|^\d\d:/.test(time)) return true;
  const offset = OFFSET.exec(time);
  return offset === null || (offset[2] === undefined && Number(offset[1]) <= OFFSET_HOURS_MAX);
}

const longYear = (text: string) =>
  text.replace(LONG_YEAR, (_all, sign: string, year: string, rest: string) => {
    const isPlain = sign === '' && year.length === 4;
    return isPlain ? `${year}${rest}` : `${sign || '+'}${year.padStart(6, '0')}${rest}`;
  });

function attempt<T>(read: () => T | null): T | undefined {
  try {
    return read() ?? undefined;
  } catch {
    return undefined;
  }
}
