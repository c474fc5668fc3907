import { Double, doubleText } from '../exchange/double.js';
import { ExchangeFailure } from '../exchange/failure.js';
import { JSON_DEPTH_MAX } from './json-text.js';

/** Style of written JSON. */
export interface JsonStyle {
  /** Jackson's: names and values on lines of their own, lists on one. */
  readonly pretty?: boolean;
  /** Which entries of objects are left out. */
  readonly leavesOut?: (value: unknown) => boolean;
}

/** A value as Jackson writes it. @throws ExchangeFailure what is neither a value of JSON, nor a list or map of these */
export function writeJson(value: unknown, style: JsonStyle = {}): string {
  if (!style.pretty && style.leavesOut === undefined && isPlain(value, 0)) return JSON.stringify(value);
  return written(value, style, '', 0);
}

/** Whether JSON.stringify writes it as Jackson does. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return isPlainNumber(value);
  if (typeof value !== 'object' || depth >= JSON_DEPTH_MAX) return false;
  if (!Array.isArray(value)) return isPlainObject(value, depth);
  for (const item of value) if (!isPlain(item, depth + 1)) return false;
  return true;
}

function isPlainObject(value: object, depth: number): boolean {
  const prototype = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in value) return false;
  for (const name in value) if (!isPlain((value as Record<string, unknown>)[name], depth + 1)) return false;
  return true;
}

function isPlainNumber(value: number): boolean {
  if (Number.isSafeInteger(value)) return !Object.is(value, -0);
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e7;
}

function written(value: unknown, style: JsonStyle, indent: string, depth: number): string {
  if (depth > JSON_DEPTH_MAX) throw tooDeepToWrite();
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value === 'number')
    return Number.isInteger(value) && Number.isSafeInteger(value) ? String(value) : double(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'object') return writtenObject(value, style, indent, depth);
  throw notWritable(typeof value);
}

const double = (value: number): string => (Number.isFinite(value) ? doubleText(value) : JSON.stringify(String(value)));

function writtenObject(value: object, style: JsonStyle, indent: string, depth: number): string {
  const scalar = writtenScalar(value);
  if (scalar !== undefined) return scalar;
  if (Array.isArray(value) || value instanceof Set) {
    const items = [...value].map((item) => written(item, style, indent, depth + 1));
    if (!style.pretty) return `[${items.join(',')}]`;
    return items.length === 0 ? '[ ]' : `[ ${items.join(', ')} ]`;
  }
  return writtenMap(value, style, indent, depth);
}

/** Objects that are one value of JSON. `undefined`: it is none. */
function writtenScalar(value: object): string | undefined {
  if (value instanceof Double) return double(value.value);
  if (value instanceof Date) return String(value.getTime());
  if (!(value instanceof Uint8Array)) return undefined;
  return JSON.stringify(Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64'));
}

function writtenMap(value: object, style: JsonStyle, indent: string, depth: number): string {
  const prototype = Object.getPrototypeOf(value);
  const isMap = value instanceof Map;
  if (!isMap && prototype !== Object.prototype && prototype !== null)
    throw notWritable(value.constructor?.name ?? 'object');
  const entries: [unknown, unknown][] = isMap ? [...value] : Object.entries(value);
  const inner = `${indent}  `;
  const { leavesOut = () => false, pretty } = style;
  const lines = entries
    .filter(([, one]) => typeof one !== 'function' && !leavesOut(one))
    .map(
      ([name, one]) => `${JSON.stringify(String(name))}${pretty ? ' : ' : ':'}${written(one, style, inner, depth + 1)}`,
    );
  if (!pretty) return `{${lines.join(',')}}`;
  return lines.length === 0 ? '{ }' : `{\n${inner}${lines.join(`,\n${inner}`)}\n${indent}}`;
}

const notWritable = (found: string) =>
  new ExchangeFailure(
    'com.fasterxml.jackson.databind.exc.InvalidDefinitionException',
    `expected texts, numbers, booleans, lists and maps to write as JSON, but found ${found}`,
  );

const tooDeepToWrite = () =>
  new ExchangeFailure(
    'com.fasterxml.jackson.databind.JsonMappingException',
    `expected a value of at most ${JSON_DEPTH_MAX} levels to write as JSON`,
  );
