/** One thing that an operator may set by an environment variable, or by a file named in the variable with `_FILE` behind its name. */
export interface Setting<T> {
  readonly name: string;
  /** What may be written, as the documentation and the refusals say it: `an integer from 0 to 65535`. */
  readonly expected: string;
  /** The default as an operator would write it; undefined: unset. */
  readonly fallback: string | undefined;
  readonly description: string;
  /** Its value is never shown. */
  readonly secret: boolean;
  /** The value, or undefined when the text is none. */
  readonly parse: (text: string) => T | undefined;
}

type Given<T> = Omit<Setting<T>, 'secret'> & { readonly secret?: boolean };
const setting = <T>(given: Given<T>): Setting<T> => ({ secret: false, ...given });

/** A setting that is a whole number within bounds. */
export const integer = (name: string, fallback: number, [min, max]: readonly [number, number], description: string) =>
  setting<number>({
    name,
    expected: `an integer from ${min} to ${max}`,
    fallback: String(fallback),
    description,
    parse: (text) => (/^\d{1,15}$/.test(text) ? within(Number(text), min, max) : undefined),
  });

/** A number of bytes: `8MB` (decimal), `16KiB` (binary), `4096`. */
export const bytes = (name: string, fallback: string, description: string, most: '1GiB' | '1TiB' = '1GiB') =>
  setting<number>({
    name,
    expected: `a size such as 8MB, 16KiB or 4096, from 1 byte to ${most}`,
    fallback,
    description,
    parse: (text) => within(bytesOf(text), 1, bytesOf(most) ?? 0),
  });

/** A length of time in ms: `500ms`, `10s`, `30m`, `12h`, `180d`, or ISO 8601 (`P180D`, `PT30M`). */
export const duration = (name: string, fallback: string, description: string) =>
  setting<number>({
    name,
    expected: 'a duration such as 500ms, 10s, 30m, 12h, 180d or P180D, from 1ms to 36500d',
    fallback,
    description,
    parse: (text) => within(millisecondsOf(text), 1, 36_500 * DAY_MS),
  });

/** A setting that is one of some words. */
export const choice = <const W extends string>(name: string, fallback: W, words: readonly W[], description: string) =>
  setting<W>({
    name,
    expected: `one of ${words.join(', ')}`,
    fallback,
    description,
    parse: (text) => words.find((word) => word === text),
  });

/** Any text that is not empty. */
export const text = (name: string, fallback: string, expected: string, description: string) =>
  setting<string>({ name, expected, fallback, description, parse: (given) => given });

/** The name of a time zone. */
export const zone = (name: string, fallback: string, description: string) =>
  setting<string>({
    name,
    expected: 'the name of a time zone, such as Europe/Berlin',
    fallback,
    description,
    parse: (given) => (isTimeZone(given) ? given : undefined),
  });

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }) !== undefined;
  } catch {
    return false;
  }
}

/** A setting without a default: undefined when it is not given. */
export const optional = <T>(
  given: Pick<Setting<T>, 'name' | 'expected' | 'description' | 'parse'> & { readonly secret?: boolean },
) => setting<T | undefined>({ ...given, fallback: undefined });

/** Several values with commas between them, none by default. `parse`: of one. */
export const list = (given: Pick<Setting<string>, 'name' | 'expected' | 'description' | 'parse'>) =>
  setting<readonly string[]>({
    ...given,
    fallback: undefined,
    parse: (text) => {
      const values = text.split(',').map((one) => given.parse(one.trim()));
      return values.includes(undefined) ? undefined : values.filter((value) => value !== undefined);
    },
  });

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const TIME_UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
const SIZE_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  kB: 1e3,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TB: 1e12,
  TiB: 2 ** 40,
};

function within(value: number | undefined, min: number, max: number): number | undefined {
  return value !== undefined && value >= min && value <= max ? value : undefined;
}

function bytesOf(given: string): number | undefined {
  const [, digits, unit] = /^(\d{1,12}) ?([A-Za-z]*)$/.exec(given) ?? [];
  const factor = SIZE_UNITS[unit ?? ''];
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}

function millisecondsOf(given: string): number | undefined {
  const [, digits, unit] = /^(\d{1,12})(ms|s|m|h|d)$/.exec(given) ?? [];
  if (digits !== undefined) return Number(digits) * (TIME_UNITS[unit ?? ''] ?? Number.NaN);
  const iso = /^P(?!$)(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/.exec(given);
  if (iso === null) return undefined;
  const [days, hours, minutes, seconds] = iso.slice(1).map((part) => Number(part ?? 0));
  return (days ?? 0) * DAY_MS + (hours ?? 0) * HOUR_MS + (minutes ?? 0) * MINUTE_MS + (seconds ?? 0) * SECOND_MS;
}
