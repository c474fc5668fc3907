import { instantOf } from './date-value.js';
import { compareDecimals, compareDoubles, compareLongs, type LongValue } from './numbers.js';
import { isBytes, type PropertyType, type Value } from './property.js';
import { lengthOf } from './value.js';

/**
 * Orders two stored values of one type (JCR 2.0 §3.6.5): negative, 0 or positive. Texts by code unit, false before true, dates by instant,
 * numbers by worth. Bytes have no order in JCR: here by size, then by their text, so that there is one.
 */
export const compareValues = (type: PropertyType, a: Value, b: Value): number => ORDERS[type](a, b);

/** Whether the two are the same value: dates of one instant and decimals of one worth are. */
export const equalValues = (type: PropertyType, a: Value, b: Value): boolean =>
  a === b || compareValues(type, a, b) === 0;

type Order = (a: Value, b: Value) => number;

const byText: Order = (a, b) => {
  const [x, y] = [textOf(a), textOf(b)];
  return x < y ? -1 : Number(x > y);
};

const byBytes: Order = (a, b) => lengthOf(a) - lengthOf(b) || byText(a, b);

const textOf = (value: Value): string => {
  if (!isBytes(value)) return String(value);
  return 'blob' in value ? value.blob : value.inline;
};

const ORDERS: Readonly<Record<PropertyType, Order>> = {
  String: byText,
  Binary: byBytes,
  Long: (a, b) => compareLongs(a as LongValue, b as LongValue),
  Double: (a, b) => compareDoubles(Number(a), Number(b)),
  Date: (a, b) => instantOf(textOf(a)) - instantOf(textOf(b)),
  Boolean: (a, b) => Number(a) - Number(b),
  Name: byText,
  Path: byText,
  Reference: byText,
  WeakReference: byText,
  URI: byText,
  Decimal: (a, b) => compareDecimals(textOf(a), textOf(b)),
};
