/** A Java Double that JavaScript cannot tell from an integer: `5.0`. */
export class Double {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }

  valueOf(): number {
    return this.value;
  }

  toString(): string {
    return doubleText(this.value);
  }
}

/** A double as Java writes it: `5.0`, `1.0E-4`, `1.2345678E7`. */
export function doubleText(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return String(value);
  if (Object.is(value, -0)) return '-0.0';
  if (value === 0 || (size >= 1e-3 && size < 1e7)) return Number.isInteger(value) ? `${value}.0` : String(value);
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`;
}
