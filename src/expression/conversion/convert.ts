import { Double } from '../exchange/double.js';
import { ExchangeFailure } from '../exchange/failure.js';
import { Headers } from '../exchange/headers.js';
import type { Asked } from '../exchange/language.js';
import { mapped, StreamCache, streamBytes, streamText } from '../exchange/stream.js';
import { parseXml } from '../xpath/document.js';
import { iterate } from './iterate.js';
import { isInstance, isMap, isStream, JavaClass, javaClass, typeName } from './java-class.js';
import { integerOf, isNumeric, numberText, textNumber } from './number.js';
import { textOf } from './text.js';

/**
 * A value as another Java type, by the rules of Camel's type converter. `null` where there is none of that type for it; a stream's is an {@link Asked}, unless it has
 * been read. `type`: `int`, `String` or a full class name.
 * @throws ExchangeFailure `TypeConversionException` where the value is not of that form; `ClassNotFoundException`
 */
export function convert(value: unknown, type: string): unknown {
  if (value === null || value === undefined) return null;
  const target = requiredClass(type);
  if (isInstance(value, target)) return value;
  const converter = CONVERTERS[target];
  if (converter === undefined) return null;
  return mapped(readable(value, target), (known) => converted(known, converter, type));
}

/** As {@link convert}, and null where the value is not of that form. */
export function tryConvert(value: unknown, type: string): unknown {
  try {
    return convert(value, type);
  } catch (thrown) {
    if (thrown instanceof ExchangeFailure && thrown.type === TYPE_CONVERSION) return null;
    throw thrown;
  }
}

/** As {@link convert}, for what needs a value. @throws ExchangeFailure also `NoTypeConversionAvailableException` */
export function convertMandatory(value: unknown, type: string): unknown {
  return mapped(convert(value, type), (result) => {
    if (result !== null) return result;
    throw new ExchangeFailure(
      'org.apache.camel.NoTypeConversionAvailableException',
      `No type converter available to convert from type: ${typeName(value)} to the required type: ${javaClass(type) ?? type}`,
    );
  });
}

/** The value as text; `null` of null. A stream's is an {@link Asked}, unless it has been read. */
export function asText(value: unknown): string | null | Asked {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return null;
  return isStream(value) ? streamText(value) : textOf(value);
}

/** The full name of a class that is asked for by name. @throws ExchangeFailure `CamelExecutionException` of a `ClassNotFoundException` */
export function requiredClass(type: string): string {
  const found = javaClass(type);
  if (found !== undefined) return found;
  const cause = new ExchangeFailure('java.lang.ClassNotFoundException', `no class that values can have here: ${type}`);
  throw new ExchangeFailure('org.apache.camel.CamelExecutionException', cause.message, { cause });
}

const TYPE_CONVERSION = 'org.apache.camel.TypeConversionException';

/** A stream's bytes, where the target is made of them. */
function readable(value: unknown, target: string): unknown {
  if (!isStream(value) || target.startsWith('java.util.')) return value;
  return target === 'java.lang.String' ? streamText(value) : streamBytes(value);
}

type Converter = (value: unknown) => unknown;

function converted(value: unknown, converter: Converter, type: string): unknown {
  try {
    return converter(value) ?? null;
  } catch (cause) {
    const why = cause instanceof ExchangeFailure ? `${cause.type}: ${cause.message}` : String(cause);
    throw new ExchangeFailure(
      TYPE_CONVERSION,
      `Error during type conversion from type: ${typeName(value)} to the required type: ${javaClass(type) ?? type} with value ${shown(value)} due to ${why}`,
      { cause },
    );
  }
}

const SHOWN_MAX = 200;
const shown = (value: unknown): string => textOf(value).slice(0, SHOWN_MAX);

const fromText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  return value instanceof Uint8Array ? textOf(value) : undefined;
};

/** An integer of so many bits: of a number what fits, as Java casts. */
const integer =
  (bits: number): Converter =>
  (value) => {
    if (isNumeric(value)) return integerOf(value, bits);
    if (value instanceof Date) return bits === 64 ? value.getTime() : undefined;
    const text = fromText(value);
    return text === undefined ? undefined : textNumber(text, bits);
  };

const floating: Converter = (value) => {
  if (isNumeric(value)) return asDouble(Number(value));
  const text = fromText(value);
  return text === undefined ? undefined : asDouble(numberText(text));
};

const asDouble = (value: number): number | Double => (Number.isInteger(value) ? new Double(value) : value);

const boolean: Converter = (value) => {
  if (isNumeric(value)) return Number(value) !== 0;
  const text = fromText(value)?.toLowerCase();
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
};

const list: Converter = (value) => {
  if (Array.isArray(value)) return value;
  if (value instanceof Set) return [...value];
  return isIterator(value) ? [...iterate(value)] : undefined;
};

const isIterator = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'next') === 'function';

const set: Converter = (value) => {
  const values = list(value);
  return Array.isArray(values) ? new Set(values) : undefined;
};

const bytes: Converter = (value) => {
  if (value instanceof Uint8Array) return value;
  return typeof value === 'string' ? Buffer.from(value) : undefined;
};

const document: Converter = (value) => {
  const text = fromText(value);
  return text === undefined ? undefined : parseXml(text);
};

/** Bytes that are there already, as a stream that is read any number of times. */
const stream: Converter = (value) => {
  const known = bytes(value);
  return known === undefined ? undefined : StreamCache.of(known as Uint8Array);
};

const CONVERTERS: Readonly<Record<string, Converter>> = {
  'java.lang.String': textOf,
  'java.lang.CharSequence': (value) => (value instanceof Uint8Array ? textOf(value) : undefined),
  'java.lang.Integer': integer(32),
  'java.lang.Long': integer(64),
  'java.lang.Short': integer(16),
  'java.lang.Byte': integer(8),
  'java.math.BigInteger': integer(0),
  'java.lang.Double': floating,
  'java.lang.Float': floating,
  'java.lang.Number': (value) => (/^[-+]?\d+$/.test(fromText(value) ?? '') ? integer(64)(value) : floating(value)),
  'java.lang.Boolean': boolean,
  'java.lang.Character': (value) => {
    if (typeof value !== 'string' || value.length === 1) return typeof value === 'string' ? value : undefined;
    throw new ExchangeFailure('java.lang.IllegalArgumentException', `String must have exactly a length of 1: ${value}`);
  },
  'java.lang.Class': (value) => {
    const name = typeof value === 'string' ? javaClass(value) : undefined;
    return name === undefined ? undefined : new JavaClass(name);
  },
  'byte[]': bytes,
  'java.nio.ByteBuffer': bytes,
  'java.io.InputStream': stream,
  'org.apache.camel.StreamCache': stream,
  'java.io.Reader': stream,
  'java.util.Date': (value) =>
    isNumeric(value) && Number.isInteger(Number(value)) ? new Date(Number(value)) : undefined,
  'java.util.List': list,
  'java.util.ArrayList': list,
  'java.util.LinkedList': list,
  'java.util.Collection': list,
  'java.util.Set': set,
  'java.util.HashSet': set,
  'java.util.LinkedHashSet': set,
  'java.util.Iterator': iterate,
  'java.lang.Iterable': iterate,
  'String[]': list,
  'Object[]': list,
  'org.w3c.dom.Document': document,
  'org.w3c.dom.Node': document,
  'java.util.Map': (value) => (value instanceof Headers ? new Map(value) : isMap(value) ? value : undefined),
  'java.util.HashMap': (value) => (value instanceof Headers ? new Map(value) : isMap(value) ? value : undefined),
};
