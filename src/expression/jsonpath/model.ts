import { Double } from '../exchange/double.js';
import { writeJson } from '../format/json-writer.js';

/** An object of JSON, or a Map. */
export function isMap(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (value instanceof Map) return true;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** What an object has by a name. `undefined`: nothing, or it is no object. */
export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if (value instanceof Map) return value.has(name) ? (value.get(name) ?? null) : undefined;
  return Object.hasOwn(value, name) && isMap(value) ? ((value as Record<string, unknown>)[name] ?? null) : undefined;
}

/** Of a list by index, of an object by name; of anything else none. */
export function entriesOf(value: unknown): Iterable<[string | number, unknown]> {
  if (Array.isArray(value)) return value.entries();
  if (value instanceof Map) return [...value].map(([name, inner]) => [String(name), inner ?? null]);
  return isMap(value) ? Object.entries(value) : [];
}

export const namesOf = (value: object): string[] =>
  value instanceof Map ? [...value.keys()].map(String) : Object.keys(value);

/** The number of a value; `undefined`: it is no number. */
export function numberOf(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return value instanceof Double ? value.value : undefined;
}

/** A value within a text, or in an error. */
export const textOf = (value: unknown): string => {
  if (typeof value === 'object' && value !== null && !(value instanceof Double)) return writeJson(value);
  return String(value);
};
