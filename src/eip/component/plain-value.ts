import { Double, ExchangeFailure, Headers, isStream, textOf } from '../../expression/routes.js';

/** How deep a value goes that leaves a route. */
const DEPTH_MAX = 64;

/**
 * A value of a message as plain data: texts, numbers, booleans, dates and bytes as they are, lists and maps with what is in them; whatever else as its text.
 * @throws ExchangeFailure where it is a stream, or goes too deep
 */
export function plainValue(value: unknown, depth = 0): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return plainLong(value);
  if (isWhole(value)) return value;
  if (isStream(value)) throw unfit('a stream, which has to be converted to a text before');
  if (depth >= DEPTH_MAX) throw unfit(`more than ${DEPTH_MAX} levels of lists and maps`);
  if (Array.isArray(value) || value instanceof Set) return [...value].map((item) => plainValue(item, depth + 1));
  if (isPlainMap(value)) return plainMap(value, depth);
  return value instanceof Double ? Number(value) : textOf(value);
}

const isWhole = (value: unknown): boolean =>
  typeof value !== 'object' || value instanceof Date || value instanceof Uint8Array;

const plainLong = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : String(value));

/** As {@link plainValue}, of what has names. */
export function plainMap(map: PlainMap, depth = 0): Record<string, unknown> {
  const entries = map instanceof Map || map instanceof Headers ? [...map] : Object.entries(map);
  return Object.fromEntries(entries.map(([name, item]) => [String(name), plainValue(item, depth + 1)]));
}

type PlainMap = ReadonlyMap<unknown, unknown> | Headers | Readonly<Record<string, unknown>>;

/** Whether it has names and values. */
export const isPlainMap = (value: unknown): value is PlainMap =>
  value instanceof Map ||
  value instanceof Headers ||
  (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype);

const unfit = (what: string) =>
  new ExchangeFailure('java.lang.IllegalArgumentException', `expected values that can be stored, but found ${what}`);
