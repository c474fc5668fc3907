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
  if (Number.isNaN(number)) return 'NaN';
  return number > 0 ? 'Infinity' : '-Infinity';
}

export const doubleNumber = (value: DoubleValue): number => Number(value);

/** NaN is the greatest and equals itself, as in `java.lang.Double`, so that there is one order. */
export function compareDoubles(a: DoubleValue, b: DoubleValue): number {
  const [x, y] = [doubleNumber(a), doubleNumber(b)];
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
