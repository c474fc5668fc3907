import { Failure } from './failure.js';
import { Double, kindOf, long, toHost } from './value.js';

// JSR-245 EL 2.2 §1.18, "Type Conversion", as JUEL implements it.

/** §1.18.5: null and '' are false; a string is true when it reads `true`, in any case. */
export function toBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === null || value === '') return false;
  if (typeof value === 'string') return value.length === 4 && value.toLowerCase() === 'true';
  throw cannotCoerce(value, 'Boolean');
}

/** §1.18.3 for Long: null and '' are 0; a Double is cut off. */
export function toLong(value: unknown): number | bigint {
  if (typeof value === 'bigint') return value;
  if (value === null || value === '') return 0;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : truncated(value);
  if (value instanceof Double) return value.value;
  if (typeof value === 'string' && /^[-+]?\d{1,30}$/.test(value)) return long(BigInt(value.replace('+', '')));
  throw cannotCoerce(value, 'Long');
}

/** A whole number for indexes and the like. */
export const toInteger = (value: unknown): number => Number(toLong(value));

/** Longer texts are no numbers, and not worth a regular expression. */
const NUMBER_LENGTH_MAX = 400;

/** §1.18.3 for Double: null and '' are 0.0. */
export function toDouble(value: unknown): number {
  if (typeof value === 'number') return value;
  if (value instanceof Double) return value.value;
  if (typeof value === 'bigint') return Number(value);
  if (value === null || value === '') return 0;
  const number = typeof value === 'string' ? readDouble(value) : undefined;
  if (number !== undefined) return number;
  throw cannotCoerce(value, 'Double');
}

function readDouble(value: string): number | undefined {
  if (value.length > NUMBER_LENGTH_MAX) return undefined;
  const text = value.trim();
  const isNumber = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text) || /^(NaN|[-+]?Infinity)$/.test(text);
  return isNumber ? Number(text) : undefined;
}

/** §1.18.2: null is ''. Lists and maps are JSON, dates ISO 8601. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  if (value instanceof Double) return doubleText(value.value);
  switch (kindOf(value)) {
    case 'Double':
      return doubleText(Number(value));
    case 'Boolean':
    case 'Long':
    case 'Date':
      return String(value);
    case 'List':
    case 'Map':
      return jsonText(value);
    default:
      throw cannotCoerce(value, 'String');
  }
}

/** A value as errors show it: its kind and its beginning. */
export function described(value: unknown): string {
  const kind = kindOf(value);
  if (kind === 'null' || kind === 'bean') return kind === 'null' ? 'null' : 'a bean';
  if (kind === 'List' || kind === 'Map') return `a ${kind}`;
  const text = toText(value);
  return `the ${kind} '${text.length > 80 ? `${text.slice(0, 79)}…` : text}'`;
}

export const cannotCoerce = (value: unknown, to: string) =>
  new Failure(`expected something that can be read as ${to}, but found ${described(value)}`);

/** Java's Double.longValue: NaN is 0, what is too large becomes the largest. */
function truncated(value: number): number | bigint {
  if (Number.isNaN(value)) return 0;
  const whole = Math.trunc(value);
  if (Number.isSafeInteger(whole)) return whole;
  return whole >= 2 ** 63 ? 2n ** 63n - 1n : BigInt(Math.max(whole, -(2 ** 63)));
}

/** Java's Double.toString: always a fraction, and an exponent below 10^-3 and from 10^7 on. */
function doubleText(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  if (size >= 1e-3 && size < 1e7) return Number.isInteger(value) ? `${value}.0` : String(value);
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`;
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'bigint' ? inner.toString() : toHost(inner),
    );
  } catch {
    throw new Failure('expected data that can be written as JSON, but it is nested too deeply or holds itself');
  }
}
