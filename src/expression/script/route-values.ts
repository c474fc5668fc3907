import { Double } from '../exchange/double.js';
import { ExchangeFailure, failureType } from '../exchange/failure.js';

/** How deep a value may be that goes to a script, or comes from one. */
const DEPTH_MAX = 100;

/**
 * A value on its way into a script or back: JSON, and for what JSON does not have an object with the one name `@`: `['date', ms]`, `['bytes', one sign a byte]`,
 * `['bigint', digits]`, `['number', text]`, `['map', entries]`, `['error', class, message]`, `['other', text]`.
 */
export type Packed = unknown;

/** @throws ExchangeFailure where it is nested too deeply */
export function packed(value: unknown, depth = 0): Packed {
  if (depth > DEPTH_MAX) {
    throw new ExchangeFailure(
      'java.lang.IllegalArgumentException',
      `expected values of at most ${DEPTH_MAX} levels for a script`,
    );
  }
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean')
    return value ?? null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : { '@': ['number', String(value)] };
  if (typeof value === 'bigint') return { '@': ['bigint', String(value)] };
  if (Array.isArray(value)) return value.map((item) => packed(item, depth + 1));
  return typeof value === 'object' ? packedObject(value, depth) : { '@': ['other', typeof value] };
}

function packedObject(value: object, depth: number): Packed {
  if (value instanceof Double) return value.value;
  if (value instanceof Date) return { '@': ['date', value.getTime()] };
  if (value instanceof Uint8Array) {
    return { '@': ['bytes', Buffer.from(value.buffer, value.byteOffset, value.length).toString('latin1')] };
  }
  if (value instanceof Error) return { '@': ['error', failureType(value), value.message] };
  if (value instanceof Map) return packedEntries([...value], depth);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    return { '@': ['other', value.constructor?.name ?? 'object'] };
  const entries = Object.entries(value);
  if (Object.hasOwn(value, '@')) return packedEntries(entries, depth);
  return Object.fromEntries(entries.map(([name, inner]) => [name, packed(inner, depth + 1)]));
}

const packedEntries = (entries: readonly [unknown, unknown][], depth: number): Packed => ({
  '@': ['map', entries.map(([name, inner]) => [String(name), packed(inner, depth + 1)])],
});

/** Result of a script as a value of the exchange. It may have written anything: what it cannot have meant is a failure. */
export function unpacked(value: Packed): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(unpacked);
  if (Object.hasOwn(value, '@')) return unpackedTagged((value as { readonly '@': unknown })['@']);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, unpacked(inner)]));
}

function unpackedTagged(tagged: unknown): unknown {
  const [tag, first, second] = Array.isArray(tagged) ? tagged : [];
  const text = String(first);
  if (tag === 'date') return new Date(Number(first));
  if (tag === 'bytes') return Buffer.from(text, 'latin1');
  if (tag === 'bigint' && /^-?\d{1,1000}$/.test(text)) {
    return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
  }
  if (tag === 'number') return Number(first);
  if (tag === 'error') return new ExchangeFailure(text, String(second));
  if (tag === 'map' && Array.isArray(first)) {
    return new Map(first.map((entry) => [String(entry?.[0]), unpacked(entry?.[1])]));
  }
  return text;
}
