import { Double, type Headers } from '../../expression/routes.js';

const INCLUDES = 'mi:history.header.includes';
const EXCLUDES = 'mi:history.header.excludes';
/** So many characters of a text are kept. */
const TEXT_MAX = 1000;
/** So many characters of JSON at most are kept of an exchange's headers. */
const HEADERS_MAX = 64 * 1024;

/** A header as it is kept: its type and, where it is not binary or made of others, its value. */
interface RecordedHeader {
  readonly type: string;
  readonly value?: unknown;
  /** In characters, of a text that was cut. */
  readonly length?: number;
  /** In bytes, of binary. */
  readonly size?: number;
}

/**
 * JSON of the headers that the exchange wants kept; null: none. Its header `mi:history.header.includes` has patterns of their names, separated by commas: `name`,
 * `begin*`, `*end`, `begin~` and `~end`, of which the last two leave that part out of the name; `mi:history.header.excludes` those that are not kept all the same.
 */
export function recordedHeaders(headers: Headers): string | null {
  const includes = patternsOf(headers.get(INCLUDES));
  if (includes.length === 0) return null;
  const excludes = patternsOf(headers.get(EXCLUDES));
  const kept: Record<string, RecordedHeader> = {};
  let isAny = false;
  for (const [name, value] of headers) {
    const as = keptName(name, includes);
    if (as === undefined || keptName(name, excludes) !== undefined) continue;
    Object.defineProperty(kept, as, { value: recorded(value), enumerable: true, configurable: true, writable: true });
    isAny = true;
  }
  if (!isAny) return null;
  const text = JSON.stringify(kept);
  return text.length <= HEADERS_MAX ? text : JSON.stringify({ '…': { type: 'unknown', length: text.length } });
}

function patternsOf(value: unknown): readonly string[] {
  if (value === null || value === undefined) return [];
  const parts = Array.isArray(value) ? value.map(String) : String(value).split(',');
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** The name under which a header is kept; undefined: no pattern is about it. */
function keptName(name: string, patterns: readonly string[]): string | undefined {
  for (const pattern of patterns) {
    const kept = keptBy(pattern, name);
    if (kept !== undefined) return kept;
  }
  return undefined;
}

function keptBy(pattern: string, name: string): string | undefined {
  if (/[*~]$/.test(pattern)) {
    const begin = pattern.slice(0, -1);
    if (!name.startsWith(begin)) return undefined;
    return pattern.endsWith('*') ? name : name.slice(begin.length);
  }
  if (/^[*~]/.test(pattern)) {
    const end = pattern.slice(1);
    if (!name.endsWith(end)) return undefined;
    return pattern.startsWith('*') ? name : name.slice(0, name.length - end.length);
  }
  return name === pattern ? name : undefined;
}

function recorded(value: unknown): RecordedHeader {
  switch (typeof value) {
    case 'string':
      return value.length < TEXT_MAX
        ? { type: 'string', value }
        : { type: 'string', value: value.slice(0, TEXT_MAX), length: value.length };
    case 'number':
      return { type: numberType(value), value };
    case 'bigint':
      return { type: 'long', value: String(value) };
    case 'boolean':
      return { type: 'boolean', value };
    default:
      return value === null || value === undefined ? { type: 'unknown', value: null } : recordedObject(value);
  }
}

const numberType = (value: number): string => {
  if (!Number.isInteger(value)) return 'double';
  return Math.abs(value) < 2 ** 31 ? 'int' : 'long';
};

function recordedObject(value: object): RecordedHeader {
  if (value instanceof Double) return { type: 'double', value: value.value };
  if (value instanceof Date) return { type: 'date', value: Number.isNaN(+value) ? null : value.toISOString() };
  if (value instanceof Uint8Array) return { type: 'binary', size: value.byteLength };
  if (value instanceof URL) return { type: 'uri', value: value.href };
  if (Array.isArray(value)) return { type: 'list' };
  const isMap = value instanceof Map || Object.getPrototypeOf(value) === Object.prototype;
  return isMap ? { type: 'map' } : { type: value.constructor?.name ?? 'object' };
}
