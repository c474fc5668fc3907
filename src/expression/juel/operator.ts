import { cannotCoerce, described, toBoolean, toDouble, toLong, toText } from './coerce.js';
import { DateBean } from './date-bean.js';
import { Failure, type Work } from './failure.js';
import { Double, double, isBean, isMap, kindOf, long, toHost } from './value.js';

// JSR-245 EL 2.2 §1.7 to §1.10, with JUEL's order of coercions. The first lines of each are short cuts for the common cases.

/** The operator `+` of JUEL (§1.7.1). */
export function add(a: unknown, b: unknown): unknown {
  if (areSafe(a, b)) {
    const sum = Number(a) + Number(b);
    if (Number.isSafeInteger(sum)) return sum;
  }
  if (typeof a === 'string' && typeof b === 'string' && !(isNumeric(a) && isNumeric(b))) {
    throw new Failure(
      `expected numbers around '+', but found ${described(a)} and ${described(b)}; texts are joined by writing '\${a}\${b}'`,
    );
  }
  return calculate(
    a,
    b,
    (x, y) => x + y,
    (x, y) => x + y,
  );
}

export const subtract = (a: unknown, b: unknown): unknown =>
  calculate(
    a,
    b,
    (x, y) => x - y,
    (x, y) => x - y,
  );

export const multiply = (a: unknown, b: unknown): unknown =>
  calculate(
    a,
    b,
    (x, y) => x * y,
    (x, y) => x * y,
  );

/** §1.7.2: always a Double, also of two whole numbers; x / 0 is Infinity. */
export const divide = (a: unknown, b: unknown): unknown =>
  a === null && b === null ? 0 : double(toDouble(a) / toDouble(b));

/** `a % b` (§1.7.3). */
export const modulo = (a: unknown, b: unknown): unknown =>
  calculate(
    a,
    b,
    (x, y) => x % y,
    (x, y) => {
      if (y === 0n) throw new Failure('expected a divisor other than 0 for a remainder of whole numbers');
      return x % y;
    },
  );

/** `-a` (§1.7.4). */
export function negate(value: unknown): unknown {
  if (value === null) return 0;
  if (isDouble(value)) return double(-toDouble(value));
  const kind = kindOf(value);
  if (kind === 'String' || kind === 'Long') return long(-BigInt(toLong(value)));
  throw cannotCoerce(value, 'a number');
}

/** §1.8.2: null equals only null; numbers before booleans before strings decide how the two are compared. */
export function equal(a: unknown, b: unknown, work: Work): boolean {
  if (a === b) return true;
  if (a === null || b === null || (typeof a === 'string' && typeof b === 'string')) return false;
  if (eitherIs(isFloat, a, b)) return toDouble(a) === toDouble(b);
  if (eitherIs(isLong, a, b)) return toLong(a) === toLong(b);
  if (eitherIs(isBoolean, a, b)) return toBoolean(a) === toBoolean(b);
  if (eitherIs(isText, a, b)) return paidText(a, work) === paidText(b, work);
  return equalData(a, b, work);
}

/** §1.8.1: what is less or greater than null is false. */
export const less = (a: unknown, b: unknown): boolean =>
  areSafe(a, b) ? Number(a) < Number(b) : a !== b && a !== null && b !== null && compare(a, b) < 0;

export const greater = (a: unknown, b: unknown): boolean =>
  areSafe(a, b) ? Number(a) > Number(b) : a !== b && a !== null && b !== null && compare(a, b) > 0;

export const lessOrEqual = (a: unknown, b: unknown): boolean =>
  areSafe(a, b) ? Number(a) <= Number(b) : a === b || (a !== null && b !== null && compare(a, b) <= 0);

export const greaterOrEqual = (a: unknown, b: unknown): boolean =>
  areSafe(a, b) ? Number(a) >= Number(b) : a === b || (a !== null && b !== null && compare(a, b) >= 0);

/** §1.10: null, '', and lists and maps without entries. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isMap(value) && !hasKeys(value);
}

/** Looks at the first key alone: maps may be large. */
function hasKeys(map: object): boolean {
  for (const key in map) if (Object.hasOwn(map, key)) return true;
  return false;
}

function calculate(
  a: unknown,
  b: unknown,
  ofDoubles: (x: number, y: number) => number,
  ofLongs: (x: bigint, y: bigint) => bigint,
): unknown {
  if (a === null && b === null) return 0;
  if (isDouble(a) || isDouble(b)) return double(ofDoubles(toDouble(a), toDouble(b)));
  return long(ofLongs(BigInt(toLong(a)), BigInt(toLong(b))));
}

/** Below, equal to or above 0; NaN where one of them is NaN. */
function compare(a: unknown, b: unknown): number {
  if (eitherIs(isFloat, a, b)) {
    const [x, y] = [toDouble(a), toDouble(b)];
    return x === y ? 0 : x - y;
  }
  if (eitherIs(isLong, a, b)) return order(toLong(a), toLong(b));
  if (eitherIs(isText, a, b) && isScalar(a) && isScalar(b)) return order(toText(a), toText(b));
  if (a instanceof DateBean && b instanceof DateBean) return a.ms - b.ms;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  throw new Failure(`expected two things that have an order, but found ${described(a)} and ${described(b)}`);
}

const order = <T extends string | number | bigint>(a: T, b: T): number => Number(a > b) - Number(a < b);

const areSafe = (a: unknown, b: unknown): boolean => Number.isSafeInteger(a) && Number.isSafeInteger(b);

const isLong = (value: unknown): boolean => typeof value === 'bigint' || Number.isSafeInteger(value);

const isBoolean = (value: unknown): boolean => typeof value === 'boolean';

const isText = (value: unknown): boolean => typeof value === 'string';

const eitherIs = (test: (value: unknown) => boolean, a: unknown, b: unknown): boolean => test(a) || test(b);

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value instanceof DateBean;

function paidText(value: unknown, work: Work): string {
  const text = toText(value);
  work.charge(text.length);
  return text;
}

const isFloat = (value: unknown): boolean =>
  value instanceof Double || (typeof value === 'number' && !Number.isSafeInteger(value));

/** A Double, or a string that is written like one. */
const isDouble = (value: unknown): boolean => isFloat(value) || (typeof value === 'string' && /[.eE]/.test(value));

const isNumeric = (text: string): boolean => text === '' || /^[-+]?[\d.]/.test(text);

const NESTING_MAX = 200;

/** Whether two values are the same data, lists and maps by their content. Numbers are equal when their values are. */
export function equalData(a: unknown, b: unknown, work: Work, depth = 0): boolean {
  const [x, y] = [toHost(a), toHost(b)];
  if (x === y) return true;
  if (typeof x !== 'object' || typeof y !== 'object' || x === null || y === null) return false;
  if (depth > NESTING_MAX) throw new Failure(`expected data of at most ${NESTING_MAX} levels in a comparison`);
  if (x instanceof Date || y instanceof Date) {
    return x instanceof Date && y instanceof Date && x.getTime() === y.getTime();
  }
  if (isBean(x) || isBean(y) || Array.isArray(x) !== Array.isArray(y)) return false;
  const keys = Object.keys(x);
  work.charge(keys.length + 1);
  if (keys.length !== Object.keys(y).length) return false;
  return keys.every(
    (key) => Object.hasOwn(y, key) && equalData(Reflect.get(x, key), Reflect.get(y, key), work, depth + 1),
  );
}
