import { Double } from '../exchange/double.js';
import { ExchangeFailure } from '../exchange/failure.js';
import type { DataFormat } from './data-format.js';
import type { FormatOptions } from './format-options.js';
import { readJson } from './json-text.js';
import { type JsonStyle, writeJson } from './json-writer.js';
import { withText } from './payload.js';

const LIBRARIES = ['Jackson', 'Gson', 'Fastjson', 'Jsonb', 'Johnzon', 'XStream'] as const;
const INCLUDES = ['ALWAYS', 'NON_NULL', 'NON_ABSENT', 'NON_EMPTY', 'NON_DEFAULT', 'USE_DEFAULTS'] as const;
const EMPTY = new Set<string>(['NON_EMPTY']);
const LISTS = /^(?:java\.util\.)?(?:List|ArrayList|LinkedList|Collection)$|\[\]$/;
const MAPS = /^(?:java\.util\.)?(?:Map|HashMap|LinkedHashMap|TreeMap)$/;

/** JSON, as Jackson has it; for Gson with its own numbers, and without nulls. @throws ExchangeFailure where an option is wrong, or asks for a class of Java */
export function jsonFormat(options: FormatOptions): DataFormat {
  const library = options.oneOf('library', LIBRARIES, 'Jackson');
  if (library === 'XStream') throw options.failure('the library XStream is not supported: use Jackson');
  const isGson = library === 'Gson';
  const style = styleOf(options, isGson);
  const fits = expectedType(options);
  const setsContentType = options.boolean('contentTypeHeader', true);
  const lengthMax = options.number('maxStringLength', 0);
  options.refuse('objectMapper', 'jsonView', 'moduleClassNames', 'moduleRefs', 'schemaResolver', 'namingStrategy');
  options.refuse('enableFeatures', 'disableFeatures', 'dateFormatPattern', 'allowUnmarshallType', 'allowJmsType');
  options.ignore('useDefaultObjectMapper', 'autoDiscoverObjectMapper', 'autoDiscoverSchemaResolver', 'timezone');
  options.ignore('combineUnicodeSurrogates');
  options.end();
  return {
    marshal: (exchange, value) => {
      const text = writeJson(iterated(value), style);
      if (setsContentType && library === 'Jackson') exchange.headers.set('Content-Type', 'application/json');
      return Buffer.from(isGson ? htmlSafe(text) : text);
    },
    unmarshal: (_, body) =>
      withText(body, (text) => {
        if (!/\S/.test(text)) throw mismatched('No content to map due to end-of-input');
        const value = readJson(text.codePointAt(0) === 0xfeff ? text.slice(1) : text);
        if (lengthMax > 0) checkLengths(value, lengthMax);
        return fits(isGson ? withDoubles(value) : value);
      }),
  };
}

function styleOf(options: FormatOptions, isGson: boolean): JsonStyle {
  const include = options.oneOf('include', INCLUDES, 'ALWAYS');
  const pretty = options.boolean('prettyPrint', false);
  const leavesOut = include === 'ALWAYS' || include === 'USE_DEFAULTS' ? undefined : leftOut(EMPTY.has(include));
  const omitted = isGson ? leftOut(false) : leavesOut;
  return { pretty, ...(omitted !== undefined && { leavesOut: omitted }) };
}

const leftOut = (emptyToo: boolean) => (value: unknown) =>
  value === null || value === undefined || (emptyToo && isEmpty(value));

function isEmpty(value: unknown): boolean {
  if (value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof Map) return value.size === 0;
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.keys(value).length === 0
  );
}

/** What comes from `unmarshalType`, `useList` and `collectionType`: a check of what was read. */
function expectedType(options: FormatOptions): (value: unknown) => unknown {
  const type = options.text('unmarshalType') ?? options.text('unmarshalTypeName');
  const collection = options.text('collectionType');
  const isList =
    options.boolean('useList', false) || collection !== undefined || (type !== undefined && LISTS.test(type));
  if (isList) {
    return (value) => {
      if (Array.isArray(value) || value === null) return value;
      throw mismatched('Cannot deserialize value of type `java.util.ArrayList<java.lang.Object>`: expected a list');
    };
  }
  if (type === undefined || /^(?:java\.lang\.)?Object$|JsonNode$|JsonObject$/.test(type)) return (value) => value;
  if (!MAPS.test(type)) {
    throw options.failure(
      `the unmarshalType ${type} is not supported: classes of Java do not exist here; without it, maps and lists are made`,
    );
  }
  return (value) => {
    if (value === null || (typeof value === 'object' && !Array.isArray(value) && !(value instanceof Double)))
      return value;
    throw mismatched(
      'Cannot deserialize value of type `java.util.LinkedHashMap<java.lang.Object,java.lang.Object>`: expected an object',
    );
  };
}

/** Iterators are written as lists. */
const iterated = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'next' in value && Symbol.iterator in value
    ? [...(value as Iterable<unknown>)]
    : value;

/** Gson reads all numbers as doubles. */
function withDoubles(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? new Double(value) : value;
  if (typeof value === 'bigint') return new Double(Number(value));
  if (Array.isArray(value)) return value.map(withDoubles);
  if (value instanceof Map) return new Map([...value].map(([name, inner]) => [name, withDoubles(inner)]));
  if (typeof value !== 'object' || value === null || value instanceof Double) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withDoubles(inner)]));
}

/** Gson writes what HTML could take for its own as escapes. */
const htmlSafe = (text: string): string =>
  text.replace(/[<>&='\u2028\u2029]/g, (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);

function checkLengths(value: unknown, max: number): void {
  if (typeof value === 'string' && value.length > max) {
    throw new ExchangeFailure(
      'com.fasterxml.jackson.core.exc.StreamConstraintsException',
      `String value length (${value.length}) exceeds the maximum allowed (${max})`,
    );
  }
  if (typeof value !== 'object' || value === null) return;
  for (const inner of value instanceof Map ? value.values() : Object.values(value)) checkLengths(inner, max);
}

const mismatched = (message: string) =>
  new ExchangeFailure('com.fasterxml.jackson.databind.exc.MismatchedInputException', message);
