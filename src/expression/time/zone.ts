import { badTime } from '../errors.js';

/** A time zone. Instants are ms since 1970; local times what its clocks show, in ms as if that were UTC. */
export interface Zone {
  localOf(ms: number): number;
  /** A time that clocks leave out as they go forward is as much later; of one that they show twice it is the first. */
  instantOf(local: number): number;
}

export const UTC: Zone = { localOf: (ms) => ms, instantOf: (local) => local };

const DAY_MS = 86_400_000;
const INSTANT_MAX = 8.64e15;
const ZONE = /\[([^\]]*)\]/;

/** A time without its zone, and that: `2026-03-29T08:00:00[Europe/Berlin]` as RFC 9557 has it; UTC where it names none. @throws BAD_REQUEST (no such zone) */
export function splitZone(text: string): { readonly plain: string; readonly zone: Zone; readonly suffix: string } {
  const [suffix, name] = ZONE.exec(text) ?? [];
  if (suffix === undefined || name === undefined) return { plain: text, zone: UTC, suffix: '' };
  return { plain: text.replace(suffix, ''), zone: zoneOf(text, name), suffix };
}

/** The time in the zone, unless it names one itself. */
export const inZone = (text: string, name: string | undefined): string =>
  name === undefined || text === '' || ZONE.test(text) ? text : `${text}[${name}]`;

function zoneOf(text: string, name: string): Zone {
  const format = formatOf(name);
  if (format === undefined) throw badTime(text, "a time zone such as 'Europe/Berlin' in brackets");
  const offsetAt = (ms: number): number =>
    offsetOf(format.formatToParts(Math.max(-INSTANT_MAX, Math.min(INSTANT_MAX, ms))));
  return {
    localOf: (ms) => ms + offsetAt(ms),
    instantOf: (local) => {
      const [before, after] = [local - offsetAt(local - DAY_MS), local - offsetAt(local + DAY_MS)];
      if (before === after || before + offsetAt(before) === local) return before;
      return after + offsetAt(after) === local ? after : before;
    },
  };
}

/** `GMT`, `GMT+02:00`; of the time before time zones with seconds. */
function offsetOf(parts: readonly Intl.DateTimeFormatPart[]): number {
  const written = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes, seconds = 0] = /([-+])(\d+):(\d+)(?::(\d+))?/.exec(written) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}

/** Making one takes longer than everything that is done with it. */
const FORMATS = new Map<string, Intl.DateTimeFormat>();
const FORMATS_MAX = 1_000;

function formatOf(name: string): Intl.DateTimeFormat | undefined {
  const known = FORMATS.get(name);
  if (known !== undefined) return known;
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    if (FORMATS.size >= FORMATS_MAX) FORMATS.clear();
    FORMATS.set(name, format);
    return format;
  } catch {
    return undefined;
  }
}
