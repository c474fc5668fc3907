import type { Node } from 'slimdom';
import { Double, doubleText } from '../exchange/double.js';
import { ExchangeFailure, failureType } from '../exchange/failure.js';
import { Headers } from '../exchange/headers.js';
import { isNode, nodeText } from '../xpath/document.js';
import { isMap, isStream, JavaClass, typeName } from './java-class.js';

/** How long a text may be that is made of a value, in characters. */
const TEXT_MAX = 134_217_728;
const DEPTH_MAX = 100;

/** A value that is in memory as Java writes it: `[a, b]`, `{a=1}`, `5.0`, `Tue Nov 14 22:13:20 UTC 2023`. Bytes are UTF-8. @throws ExchangeFailure where it is too long */
export function textOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return Number.isSafeInteger(value) ? String(value) : doubleText(value);
    case 'object':
      return value === null ? 'null' : new Writer().written(value);
    case 'undefined':
      return 'null';
    default:
      return String(value);
  }
}

class Writer {
  #length = 0;
  #depth = 0;

  written(value: object): string {
    if (value instanceof Date) return dateText(value);
    if (value instanceof Double) return value.toString();
    if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString();
    if (isNodeList(value)) return value.map(nodeText).join('');
    if (Array.isArray(value) || value instanceof Set) return `[${this.#all(value)}]`;
    if (value instanceof Map || value instanceof Headers) return `{${this.#entries(value)}}`;
    if (value instanceof JavaClass) return value.toString();
    if (value instanceof Error) return `${failureType(value)}: ${value.message}`;
    if (isMap(value)) return `{${this.#entries(Object.entries(value))}}`;
    return otherText(value);
  }

  #all(values: Iterable<unknown>): string {
    const parts: string[] = [];
    for (const value of values) parts.push(this.#inner(value));
    return parts.join(', ');
  }

  #entries(entries: Iterable<readonly [unknown, unknown]>): string {
    const parts: string[] = [];
    for (const [key, value] of entries) parts.push(`${this.#inner(key)}=${this.#inner(value)}`);
    return parts.join(', ');
  }

  #inner(value: unknown): string {
    if (++this.#depth > DEPTH_MAX) throw tooLarge(`${DEPTH_MAX} levels`);
    const text = typeof value === 'object' && value !== null ? this.written(value) : textOf(value);
    this.#depth--;
    this.#length += text.length;
    if (this.#length > TEXT_MAX) throw tooLarge(`${TEXT_MAX} characters`);
    return text;
  }
}

/** What XPath gives: as text it is that of its nodes, one after the other. */
const isNodeList = (value: unknown): value is Node[] =>
  Array.isArray(value) && value.length > 0 && value.every((it) => isNode(it));

function otherText(value: object): string {
  if (isNode(value)) return nodeText(value);
  if (isStream(value) || typeof Reflect.get(value, 'next') === 'function') return typeName(value);
  const own: unknown = Reflect.get(value, 'toString');
  return typeof own === 'function' && own !== Object.prototype.toString ? String(value) : typeName(value);
}

const tooLarge = (most: string) =>
  new ExchangeFailure('java.lang.OutOfMemoryError', `expected a value whose text has at most ${most}`);

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** As `java.util.Date` writes it, in UTC. */
function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return 'Invalid Date';
  const two = (value: number) => String(value).padStart(2, '0');
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  return `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${two(date.getUTCDate())} ${time} UTC ${date.getUTCFullYear()}`;
}
