/** JCR 2.0 §3.6.4.3: `sYYYY-MM-DDThh:mm:ss.sssTZD`; seconds and fraction may be left out on the way in. */
const DATE = /^([+-]?)(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:(Z)|([+-])(\d\d):(\d\d))$/;

const MINUTE_MS = 60_000;

interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly ms: number;
  /** Minutes east of Greenwich. */
  readonly offset: number;
  readonly zone: string;
}

/**
 * The date as stored: three digits of fraction (more are cut off), its zone as given, no plus sign before the year. Years are -9999 to 9999, the
 * year 0000 being 1 BCE: JCR has no text for others. Null: not such a date.
 */
export function dateOf(native: unknown): string | null {
  const parts = typeof native === 'string' ? parse(native) : null;
  return parts === null ? null : format(parts);
}

/** ms since 1970-01-01T00:00Z of a stored date. */
export function instantOf(date: string): number {
  const parts = parse(date);
  return parts === null ? Number.NaN : instant(parts);
}

/** The instant in UTC; null: its year is beyond 9999. */
export function dateOfInstant(ms: number): string | null {
  const date = new Date(ms);
  const year = date.getUTCFullYear();
  if (Number.isNaN(year) || Math.abs(year) > 9_999) return null;
  const text = date.toISOString();
  return text.length === 24 ? text : `${text.startsWith('-') ? '-' : ''}${text.slice(3)}`;
}

function parse(text: string): DateParts | null {
  const found = DATE.exec(text);
  if (found === null) return null;
  const [, minus, year, month, day, hour, minute, second = '0', fraction = '', utc, side, hours = '0', minutes = '0'] =
    found;
  const offset = (Number(hours) * 60 + Number(minutes)) * (side === '-' ? -1 : 1);
  const parts: DateParts = {
    year: Number(year) * (minus === '-' ? -1 : 1) + 0,
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    ms: Number(fraction.slice(0, 3).padEnd(3, '0')),
    offset,
    zone: utc ?? `${side}${hours}:${minutes}`,
  };
  return isCalendarDate(parts) && Number(minutes) < 60 && Math.abs(offset) <= 18 * 60 ? parts : null;
}

function isCalendarDate({ year, month, day, hour, minute, second }: DateParts): boolean {
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 ? 28 + Number(leap) : 30 + ((month + Number(month > 7)) % 2);
  return day <= days;
}

function instant({ year, month, day, hour, minute, second, ms, offset }: DateParts): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // Date.UTC takes the years 0 to 99 for 1900 to 1999
  date.setUTCHours(hour, minute, second, ms);
  return date.getTime() - offset * MINUTE_MS;
}

function format({ year, month, day, hour, minute, second, ms, zone }: DateParts): string {
  const date = `${year < 0 ? '-' : ''}${padded(Math.abs(year), 4)}-${padded(month, 2)}-${padded(day, 2)}`;
  return `${date}T${padded(hour, 2)}:${padded(minute, 2)}:${padded(second, 2)}.${padded(ms, 3)}${zone}`;
}

const padded = (number: number, width: number) => String(number).padStart(width, '0');
