import { Double } from '../exchange/double.js';
import { tryConvert } from './convert.js';
import { iterate } from './iterate.js';
import { isMap, isStream, JavaClass, typeName } from './java-class.js';
import { integerText, isFloatingNumber, isInteger, isNumber } from './number.js';
import { textOf } from './text.js';

/** Whether two values are equal where one may be converted to the other's type: `'5' == 5`. */
export function equalValues(left: unknown, right: unknown, ignoresCase = false): boolean {
  if (isNull(left) || isNull(right)) return isNull(left) && isNull(right);
  if (typeof left === 'string') return equalText(left, right, ignoresCase);
  if (typeof right === 'string' && isInteger(left) && isNumber(right)) return left === integerText(right);
  if (typeof right === 'string' && typeof left === 'boolean') return left === isTrue(right);
  return equalData(left, right) || equalConverted(left, right, ignoresCase);
}

const isNull = (value: unknown): value is null | undefined => value === null || value === undefined;

function equalText(left: string, right: unknown, ignoresCase: boolean): boolean {
  if (typeof right === 'string') return equalTexts(left, right, ignoresCase);
  if (isInteger(right) && isNumber(left)) return integerText(left) === right;
  if (isDouble(right) && isFloatingNumber(left)) return Number(left) === Number(right);
  return typeof right === 'boolean' ? isTrue(left) === right : equalConverted(left, right, ignoresCase);
}

function equalTexts(left: string, right: string, ignoresCase: boolean): boolean {
  if (left === right) return true;
  if (isNumber(left) && isNumber(right)) return integerText(left) === integerText(right);
  return ignoresCase && left.toLowerCase() === right.toLowerCase();
}

const isTrue = (text: string): boolean => text.toLowerCase() === 'true';
const isDouble = (value: unknown): boolean =>
  value instanceof Double || (typeof value === 'number' && !Number.isSafeInteger(value));

function equalConverted(left: unknown, right: unknown, ignoresCase: boolean): boolean {
  const [from, to] = [typeName(left), typeName(right)];
  if (from === to || isStream(left) || isStream(right)) return false;
  return same(tryConvert(left, to), right, ignoresCase) || same(left, tryConvert(right, from), ignoresCase);
}

function same(a: unknown, b: unknown, ignoresCase: boolean): boolean {
  if (a === null || b === null) return false;
  if (ignoresCase && typeof a === 'string' && typeof b === 'string') return a.toLowerCase() === b.toLowerCase();
  return equalData(a, b);
}

const DEPTH_MAX = 100;

/** Java's `equals`: lists and maps by what is in them. */
export function equalData(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true;
  if (isDouble(a) || isDouble(b)) return isDouble(a) && isDouble(b) && Number(a) === Number(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || depth > DEPTH_MAX) return false;
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b, depth);
  return isMap(a) ? isMap(b) && equalMaps(a, b, depth) : equalObjects(a, b);
}

function equalObjects(a: object, b: object): boolean {
  if (a instanceof Date) return b instanceof Date && a.getTime() === b.getTime();
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  return a instanceof JavaClass && b instanceof JavaClass && a.name === b.name;
}

const equalLists = (a: readonly unknown[], b: readonly unknown[], depth: number): boolean =>
  a.length === b.length && a.every((value, at) => equalData(value, b[at], depth + 1));

type MapValue = Map<unknown, unknown> | Record<string, unknown>;

function equalMaps(a: MapValue, b: MapValue, depth: number): boolean {
  const [left, right] = [entriesOf(a), new Map(entriesOf(b))];
  if (left.length !== right.size) return false;
  return left.every(([key, value]) => right.has(key) && equalData(value, right.get(key), depth + 1));
}

const entriesOf = (map: MapValue): (readonly [unknown, unknown])[] =>
  map instanceof Map ? [...map] : Object.entries(map);

/** Below, at or above 0 as the left value is less than, equal to or greater than the right one, after one of them was converted to the other's type. */
export function compareValues(left: unknown, right: unknown): number {
  if (Number.isSafeInteger(left) && Number.isSafeInteger(right)) return (left as number) - (right as number);
  if (typeof left === 'string') return compareText(left, right);
  if (isDouble(left) && isDouble(right)) return order(Number(left), Number(right));
  if (typeof left === 'boolean' && typeof right === 'string') return Number(left) - Number(isTrue(right));
  return compareNumbers(left, right) ?? compareConverted(left, right);
}

function compareText(left: string, right: unknown): number {
  if (typeof right === 'string') return compareTexts(left, right);
  if (typeof right === 'boolean') return Number(isTrue(left)) - Number(right);
  if (isDouble(right) && isFloatingNumber(left)) return order(Number(left), Number(right));
  return compareNumbers(left, right) ?? compareConverted(left, right);
}

function compareNumbers(left: unknown, right: unknown): number | undefined {
  for (const type of ['java.lang.Long', 'java.lang.Double']) {
    const [a, b] = [tryConvert(left, type), tryConvert(right, type)];
    if (a !== null && b !== null)
      return typeof a === 'bigint' || typeof b === 'bigint' ? order(a, b) : order(Number(a), Number(b));
  }
  return undefined;
}

function compareConverted(left: unknown, right: unknown): number {
  if (typeof right === 'string' && typeof left !== 'string') return -compareConverted(right, left);
  const known = isComparable(right) ? tryConvert(left, typeName(right)) : null;
  if (known !== null) return compareSame(known, right);
  const other = isComparable(left) ? tryConvert(right, typeName(left)) : null;
  return other === null ? order(textOf(left), textOf(right)) : compareSame(left, other);
}

const isComparable = (value: unknown): boolean =>
  typeof value !== 'object' || value instanceof Date || value instanceof Double;

const compareSame = (a: unknown, b: unknown): number =>
  typeof a === 'string' || typeof b === 'string' ? order(textOf(a), textOf(b)) : order(Number(a), Number(b));

function compareTexts(left: string, right: string): number {
  if (!isFloatingNumber(left) || !isFloatingNumber(right)) return order(left, right);
  return isNumber(left) && isNumber(right)
    ? order(integerText(left), integerText(right))
    : order(Number(left), Number(right));
}

const order = (a: unknown, b: unknown): number => {
  if (a === b) return 0;
  return (a as number) < (b as number) ? -1 : 1;
};

/** Whether a list has the value, or a text the part. */
export function containsValue(whole: unknown, part: unknown, ignoresCase = false): boolean {
  const known = whole instanceof Uint8Array ? textOf(whole) : whole;
  if (Array.isArray(known) || known instanceof Set) return listHas([...known], part, ignoresCase);
  if (typeof known === 'string') {
    const text = textOf(part);
    return ignoresCase ? known.toLowerCase().includes(text.toLowerCase()) : known.includes(text);
  }
  for (const value of iterate(known)) if (equalValues(part, value, ignoresCase)) return true;
  return false;
}

/** Without regard to letter case, parts of texts count, too. */
function listHas(list: readonly unknown[], part: unknown, ignoresCase: boolean): boolean {
  if (!ignoresCase) return list.some((value) => equalData(value, part));
  const lower = textOf(part).toLowerCase();
  return list.some((value) => textOf(value).toLowerCase().includes(lower));
}
