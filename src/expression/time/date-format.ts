/** Parts of an instant in a zone. */
interface Parts {
  readonly ms: number;
  readonly zone: string;
  /** What the zone is ahead of UTC, in ms. */
  readonly offset: number;
  /** As if the zone's time were UTC. */
  readonly local: Date;
}

type Field = (parts: Parts, width: number) => string;

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const DAY_MS = 86_400_000;

const number =
  (read: (local: Date, parts: Parts) => number): Field =>
  (parts, width) =>
    String(read(parts.local, parts)).padStart(width, '0');

const name =
  (names: readonly string[], read: (local: Date) => number): Field =>
  ({ local }, width) =>
    (width >= 4 ? names[read(local)] : names[read(local)]?.slice(0, 3)) ?? '';

const dayOfYear = (local: Date): number =>
  Math.floor(
    (Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()) -
      Date.UTC(local.getUTCFullYear(), 0, 1)) /
      DAY_MS,
  ) + 1;

/** Weeks begin on Sunday; the first one has the first of January. */
function weekOfYear(local: Date): number {
  const first = new Date(Date.UTC(local.getUTCFullYear(), 0, 1)).getUTCDay();
  const isNextYear = local.getUTCMonth() === 11 && local.getUTCDate() - local.getUTCDay() + 6 > 31;
  return isNextYear ? 1 : Math.floor((dayOfYear(local) - 1 + first) / 7) + 1;
}

const weekYear = (local: Date): number =>
  local.getUTCFullYear() + (local.getUTCMonth() === 11 && weekOfYear(local) === 1 ? 1 : 0);

const weekOfMonth = (local: Date): number => {
  const first = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), 1)).getUTCDay();
  return Math.floor((local.getUTCDate() - 1 + first) / 7) + 1;
};

const year =
  (read: (local: Date) => number): Field =>
  ({ local }, width) =>
    width === 2 ? String(read(local) % 100).padStart(2, '0') : String(read(local)).padStart(width, '0');

const month: Field = (parts, width) =>
  width >= 3
    ? name(MONTHS, (local) => local.getUTCMonth())(parts, width)
    : number((local) => local.getUTCMonth() + 1)(parts, width);

function isoOffset({ offset }: Parts, width: number): string {
  if (offset === 0) return 'Z';
  const all = offsetText(offset);
  if (width === 1) return all.slice(0, 3);
  return width === 2 ? all : `${all.slice(0, 3)}:${all.slice(3)}`;
}

function offsetText(offset: number): string {
  const minutes = Math.abs(Math.trunc(offset / 60_000));
  const two = (value: number) => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`;
}

/** `CET`, `Central European Standard Time`; `GMT+08:00` of a zone without a name. */
function zoneName({ ms, zone, offset }: Parts, width: number): string {
  if (/^(?:UTC|Z|Etc\/UTC)$/.test(zone)) return width >= 4 ? 'Coordinated Universal Time' : 'UTC';
  const text = offsetText(offset);
  const plain = offset === 0 ? 'GMT' : `GMT${text.slice(0, 3)}:${text.slice(3)}`;
  return fixedOffset(zone) === undefined ? (givenName(ms, zone, width >= 4 ? 'long' : 'short') ?? plain) : plain;
}

/** Each land knows its own names. */
const LOCALES = ['en-US', 'en-GB', 'en-IN', 'en-AU'];

const givenName = (ms: number, timeZone: string, timeZoneName: 'long' | 'short'): string | undefined =>
  LOCALES.map((locale) => new Intl.DateTimeFormat(locale, { timeZone, timeZoneName }).formatToParts(ms))
    .map((parts) => parts.find(({ type }) => type === 'timeZoneName')?.value)
    .find((name) => name !== undefined && !/^(?:GMT|UTC)[-+]/.test(name));

const FIELDS: Readonly<Record<string, Field>> = {
  G: () => 'AD',
  y: year((local) => local.getUTCFullYear()),
  Y: year(weekYear),
  M: month,
  L: month,
  w: number(weekOfYear),
  W: number(weekOfMonth),
  D: number(dayOfYear),
  d: number((local) => local.getUTCDate()),
  F: number((local) => Math.ceil(local.getUTCDate() / 7)),
  E: name(DAYS, (local) => local.getUTCDay()),
  u: number((local) => local.getUTCDay() || 7),
  a: ({ local }) => (local.getUTCHours() < 12 ? 'AM' : 'PM'),
  H: number((local) => local.getUTCHours()),
  k: number((local) => local.getUTCHours() || 24),
  K: number((local) => local.getUTCHours() % 12),
  h: number((local) => local.getUTCHours() % 12 || 12),
  m: number((local) => local.getUTCMinutes()),
  s: number((local) => local.getUTCSeconds()),
  S: number((local) => local.getUTCMilliseconds()),
  z: zoneName,
  Z: ({ offset }) => offsetText(offset),
  X: isoOffset,
};

/** How long a pattern may be. */
const PATTERN_MAX = 1_000;

/**
 * Writes instants, in ms since 1970, by a pattern of Java's `SimpleDateFormat`: `yyyy-MM-dd'T'HH:mm:ss.SSSZ`, in English. `zone`: `UTC`, `Europe/Paris`, `GMT+8`.
 * @throws Error where the pattern has a letter that means nothing
 */
export function dateFormat(pattern: string, zone: string): (ms: number) => string {
  if (pattern.length > PATTERN_MAX) throw new Error(`expected a pattern of at most ${PATTERN_MAX} characters`);
  const pieces: (string | ((parts: Parts) => string))[] = [];
  for (const [text, quoted, letters] of pattern.matchAll(/''|'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+|'/g)) {
    if (text === "'") throw new Error('Unterminated quote');
    if (letters === undefined) pieces.push(text === "''" ? "'" : (quoted?.replaceAll("''", "'") ?? text));
    else pieces.push(fieldOf(letters, text.length));
  }
  const offset = offsetOf(zone);
  return (ms) => {
    if (Math.abs(ms) > 8_640_000_000_000_000) throw new Error('expected an instant that the calendar has');
    const ahead = offset(ms);
    const parts: Parts = { ms, zone, offset: ahead, local: new Date(ms + ahead) };
    return pieces.map((piece) => (typeof piece === 'string' ? piece : piece(parts))).join('');
  };
}

function fieldOf(letter: string, width: number): (parts: Parts) => string {
  const field = FIELDS[letter];
  if (field === undefined) throw new Error(`Illegal pattern character '${letter}'`);
  if (letter === 'X' && width > 3) throw new Error('invalid ISO 8601 format: length=4');
  return (parts) => field(parts, width);
}

/** What a zone is ahead of UTC, in ms, that is the same all the year: `GMT+8`, `GMT-03:30`. */
function fixedOffset(zone: string): { readonly ms: number } | undefined {
  if (/^(?:UTC|GMT|Z)$/.test(zone)) return { ms: 0 };
  const [, sign, hours, minutes = '0'] = /^(?:GMT|UTC)([-+])(\d{1,2})(?::?(\d\d))?$/.exec(zone) ?? [];
  if (sign === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return { ms: (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000 };
}

/** Whether there is a zone of that name. Java takes GMT for what is none. */
export function isZone(zone: string): boolean {
  if (fixedOffset(zone) !== undefined) return true;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone });
    return !/^[-+]/.test(zone);
  } catch {
    return false;
  }
}

function offsetOf(zone: string): (ms: number) => number {
  const fixed = fixedOffset(zone);
  if (fixed !== undefined) return () => fixed.ms;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  return (ms) => {
    const text = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours, minutes] = /([-+])(\d\d):(\d\d)/.exec(text) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  };
}
