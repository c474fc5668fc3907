/** A Decimal in parts: digits × 10^-scale, as `java.math.BigDecimal`. */
interface Decimal {
  readonly negative: boolean;
  /** Without leading zeros; empty: zero. */
  readonly digits: string;
  readonly scale: number;
}

/** The most digits of a Decimal. */
export const DECIMAL_DIGITS_MAX = 1_000;

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

/** From 10^-scale with scale ≤ -64 on, a multiple of 2^64: nothing is left of it in 64 bits. */
function integerOf(digits: string, scale: number): bigint {
  if (scale <= -64 || digits === '') return 0n;
  if (scale > 0) return digits.length > scale ? BigInt(digits.slice(0, digits.length - scale)) : 0n;
  return BigInt(digits + '0'.repeat(-scale));
}

const sign = ({ negative, digits }: Decimal) => (digits === '' ? 0 : negative ? -1 : 1);

/** The place of the first digit before the point. */
const magnitude = ({ digits, scale }: Decimal) => digits.length - scale;

const parts = (text: string): Decimal => parse(text) ?? { negative: false, digits: '', scale: 0 };

function parse(text: string): Decimal | null {
  const found = text.length <= DECIMAL_DIGITS_MAX + 20 ? DECIMAL.exec(text) : null;
  if (found === null) return null;
  const [, minus, whole = '', fraction = '', exponent = '0'] = found;
  const written = whole + fraction;
  const scale = fraction.length - Number(exponent);
  if (written === '' || written.length > DECIMAL_DIGITS_MAX || Math.abs(scale) > SCALE_MAX) return null;
  return { negative: minus === '-', digits: written.replace(/^0+/, ''), scale };
}
