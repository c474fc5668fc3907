import { Headers } from '../exchange/headers.js';
import { isMap } from './java-class.js';

/** Iterator over a value, as Camel iterates: items of a list, entries of a map, parts of a text between delimiters; anything else is the one item. */
export function iterate(value: unknown, delimiter = ','): IterableIterator<unknown> {
  if (value === null || value === undefined) return [][Symbol.iterator]();
  if (typeof value === 'string') return partsOf(value, delimiter)[Symbol.iterator]();
  if (typeof value !== 'object' || value instanceof Uint8Array) return [value][Symbol.iterator]();
  if (Array.isArray(value) || value instanceof Set) return value[Symbol.iterator]();
  if (value instanceof Map || value instanceof Headers) return entries(value);
  if (typeof Reflect.get(value, 'next') === 'function') return value as IterableIterator<unknown>;
  if (isMap(value)) return entries(Object.entries(value));
  if (Symbol.iterator in value) return (value as Iterable<unknown>)[Symbol.iterator]() as IterableIterator<unknown>;
  return [value][Symbol.iterator]();
}

function* entries(map: Iterable<readonly [unknown, unknown]>): IterableIterator<unknown> {
  for (const [key, value] of map) yield { [String(key)]: value };
}

/** A comma within parentheses parts nothing. */
const COMMAS = /,(?![^()]*\))/;

/** Parts of a text between delimiters. A text without any is one part, an empty one none. */
export function partsOf(text: string, delimiter: string): readonly string[] {
  if (delimiter === '' || !text.includes(delimiter)) return text.trim() === '' ? [] : [text];
  const found = delimiter === ',' && text.includes('(') ? text.split(COMMAS) : text.split(delimiter);
  return found.at(-1) === '' ? found.slice(0, -1) : found;
}
