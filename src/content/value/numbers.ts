/** Long values: 64 bits, signed; a number where JavaScript is exact, else decimal text. */
export type LongValue = number | string;

export const LONG_MIN = -(2n ** 63n);
export const LONG_MAX = 2n ** 63n - 1n;

const INTEGER = /^[+-]?\d{1,40}$/;

/** The value as stored; null: not an integer of 64 bits. */
export function longOf(native: unknown): LongValue | null {
  if (typeof native === 'number') return Number.isSafeInteger(native) ? native + 0 : exactLong(native);
  if (typeof native === 'bigint') return storedLong(native);
  if (typeof native !== 'string' || !INTEGER.test(native)) return null;
  return storedLong(BigInt(native.startsWith('+') ? native.slice(1) : native));
}

/** The integer as stored; null: beyond 64 bits. */
export function storedLong(integer: bigint): LongValue | null {
  if (integer < LONG_MIN || integer > LONG_MAX) return null;
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer.toString();
}

export const compareLongs = (a: LongValue, b: LongValue): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [x, y] = [BigInt(a), BigInt(b)];
  return x < y ? -1 : Number(x > y);
};

/** A number beyond 2^53 stands for exactly one integer too, though its writer may have meant a neighbour. */
const exactLong = (number: number): LongValue | null => (Number.isInteger(number) ? storedLong(BigInt(number)) : null);

/** Double values: a number, or the name of what JSON has no number for. */
export type DoubleValue = number | 'NaN' | 'Infinity' | '-Infinity';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The value as stored; null: not a number. */
export function doubleOf(native: unknown): DoubleValue | null {
  if (typeof native === 'number') return storedDouble(native);
  if (typeof native !== 'string') return null;
  const text = native.trim();
  if (/^[+-]?(?:NaN|Infinity)$/.test(text)) return storedDouble(Number(text.replace(/^[+-](?=NaN)/, '')));
  return NUMBER.test(text) ? storedDouble(Number(text)) : null;
}

export function storedDouble(number: number): DoubleValue {
  if (Number.isFinite(number)) return number + 0; // -0 would not survive JSON
  return String(number) as DoubleValue;
}

/** NaN is the greatest and equals itself, as in `java.lang.Double`, so that there is one order. */
export function compareDoubles(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
  return x < y ? -1 : Number(x > y);
}

/** As `java.lang.Double` writes it, which JCR 2.0 §3.6.4 names for the conversion to String: `1.0`, `1.0E10`, `NaN`. */
export function doubleText(value: DoubleValue): string {
  if (typeof value === 'string') return value;
  const size = Math.abs(value);
  if (value === 0 || (size >= 1e-3 && size < 1e7)) {
    const plain = String(value);
    return plain.includes('.') ? plain : `${plain}.0`;
  }
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`;
}

/** A Decimal in parts: digits × 10^-scale, as `java.math.BigDecimal`. */
interface Decimal {
  readonly negative: boolean;
  /** Without leading zeros; empty: zero. */
  readonly digits: string;
  readonly scale: number;
}

/** The most digits of a Decimal. */
const DECIMAL_DIGITS_MAX = 1_000;

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,10}))?$/;
const SCALE_MAX = 2_147_483_647;

/** The text as written when it is a decimal number; null: it is none, or has too many digits. Numbers are written out. */
export function decimalOf(native: unknown): string | null {
  if (typeof native === 'bigint') return decimalOf(native.toString());
  if (typeof native === 'number') return Number.isFinite(native) ? String(native + 0).replace('e+', 'e') : null;
  if (typeof native !== 'string') return null;
  return parse(native) === null ? null : native;
}

/** By what they are worth: 1.0 equals 1. */
export function compareDecimals(a: string, b: string): number {
  const [x, y] = [parts(a), parts(b)];
  if (sign(x) !== sign(y)) return sign(x) - sign(y);
  const byMagnitude = magnitude(x) - magnitude(y);
  if (byMagnitude !== 0) return byMagnitude * sign(x);
  const width = Math.max(x.digits.length, y.digits.length);
  const [left, right] = [x.digits.padEnd(width, '0'), y.digits.padEnd(width, '0')];
  return (left < right ? -1 : Number(left > right)) * sign(x) + 0; // no -0
}

/** Fraction cut off, then the lowest 64 bits, as `BigDecimal.longValue`. */
export function decimalToLong(text: string): bigint {
  const { negative, digits, scale } = parts(text);
  const whole = integerOf(digits, scale);
  return BigInt.asIntN(64, negative ? -whole : whole);
}

export const decimalToDouble = (text: string): number => Number(text);

/** More than 64 zeros at its end make no difference: a multiple of 2^64, of which nothing is left in 64 bits. */
function integerOf(digits: string, scale: number): bigint {
  return scale > 0 ? BigInt(digits.slice(0, -scale)) : BigInt(digits + '0'.repeat(Math.min(-scale, 64)));
}

const sign = ({ negative, digits }: Decimal) => (digits === '' ? 0 : negative ? -1 : 1);

/** The place of the first digit before the point. */
const magnitude = ({ digits, scale }: Decimal) => digits.length - scale;

const parts = (text: string): Decimal => parse(text) ?? { negative: false, digits: '', scale: 0 };

function parse(text: string): Decimal | null {
  const found = DECIMAL.exec(text);
  if (found === null) return null;
  const [, minus, whole = '', fraction = '', exponent = '0'] = found;
  const written = whole + fraction;
  const scale = fraction.length - Number(exponent);
  if (written === '' || written.length > DECIMAL_DIGITS_MAX || Math.abs(scale) > SCALE_MAX) return null;
  return { negative: minus === '-', digits: written.replace(/^0+/, ''), scale };
}
