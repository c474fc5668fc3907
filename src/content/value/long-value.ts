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
