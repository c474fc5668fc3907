import { badRequest } from '../../shared/errors.js';
import { binaryOfText, textOfBinary } from './binary-value.js';
import { dateOfInstant, instantOf } from './date-value.js';
import {
  decimalOf,
  decimalToDouble,
  decimalToLong,
  doubleText,
  LONG_MAX,
  LONG_MIN,
  storedDouble,
  storedLong,
} from './numbers.js';
import { isBytes, type PropertyType, type Value } from './property.js';
import { checkValue, notOfType, type ValueContext } from './value.js';

/**
 * A stored value of one type as one of another (JCR 2.0 §3.6.4). Text in a blob has to be loaded first. The same type gives the very value.
 * @throws BAD_REQUEST where JCR has no such conversion, or the value has no counterpart
 */
export function convertValue(value: Value, from: PropertyType, to: PropertyType, context: ValueContext): Value {
  if (from === to) return value;
  if (to === 'String') return valueText(from, value, context);
  if (to === 'Binary') return binaryOfText(valueText(from, value, context));
  if (from === 'String' || from === 'Binary') return ofText(valueText(from, value, context), to, context);
  const converted = CONVERSIONS[from]?.[to]?.(value);
  if (converted === undefined || converted === null) throw notConvertible(value, from, to, context.what);
  return CHECKED.has(to) ? checkValue(to, converted, context) : converted;
}

/** The value's text in JCR's form, that {@link checkValue} reads again; of a Binary, its bytes read as UTF-8. @throws BAD_REQUEST */
export function valueText(type: PropertyType, value: Value, { what }: Pick<ValueContext, 'what'>): string {
  if (!isBytes(value)) return type === 'Double' ? doubleText(storedDouble(Number(value))) : String(value);
  if ('blob' in value) {
    throw badRequest(`expected ${what} to be converted with its content at hand, but found only its blob`, {
      reason: 'blob_not_loaded',
    });
  }
  const text = textOfBinary(value);
  if (text === null) throw badRequest(`expected ${what} to be text in UTF-8, but found ${value.size} other bytes`);
  return text;
}

/** Every text is a Boolean: `true` in any case, or else false, as `java.lang.Boolean.valueOf`. */
const ofText = (text: string, to: PropertyType, context: ValueContext): Value =>
  to === 'Boolean' ? text.toLowerCase() === 'true' : checkValue(to, text, context);

/** Types with a syntax of their own that a text may miss. */
const CHECKED: ReadonlySet<PropertyType> = new Set(['Name', 'Path', 'URI']);

type Conversion = (value: Value) => Value | null;
type Conversions = Partial<Record<PropertyType, Conversion>>;

const dateOfLong = (ms: bigint): string | null => dateOfInstant(Number(ms));

/** As a Java cast: the fraction is cut off, what is too large becomes the largest, NaN becomes 0. */
function longOfDouble(value: Value): bigint {
  const number = Number(value);
  if (Number.isNaN(number)) return 0n;
  if (number >= Number(LONG_MAX)) return LONG_MAX;
  return BigInt(Math.trunc(Math.max(number, Number(LONG_MIN))));
}

const whole: Conversion = (value) => decimalOf(BigInt(String(value)));

/** A name or path in a URI: colons in the first step would start a scheme, hence `./` in front (§3.6.4.8). */
const encoded = (text: string): string => {
  const path = text.split('/').map(encodeURIComponent).join('/').replaceAll('%3A', ':');
  return text.startsWith('/') ? path : `./${path}`;
};

const URI_PATH = /^(\.\/)?([^?#]*)$/;

/** The path of a URI that has nothing else; null: it has. */
function pathOfUri(uri: Value): string | null {
  const [, dot = '', path = ''] = URI_PATH.exec(String(uri)) ?? [];
  if (path === '' || (dot === '' && /^[^/]*:/.test(path))) return null;
  try {
    return decodeURIComponent(path);
  } catch {
    return null; // escapes that are no UTF-8
  }
}

const singleStep = (path: string | null): string | null =>
  path === null || /[/[\]]/.test(path) || path === '.' || path === '..' ? null : path;

const sameText: Conversion = (value) => value;

const CONVERSIONS: Partial<Record<PropertyType, Conversions>> = {
  Date: {
    Long: (value) => instantOf(String(value)),
    Double: (value) => instantOf(String(value)),
    Decimal: (value) => String(instantOf(String(value))),
  },
  Double: {
    Long: (value) => storedLong(longOfDouble(value)),
    Date: (value) => dateOfLong(longOfDouble(value)),
    Decimal: (value) => decimalOf(value),
  },
  Decimal: {
    Long: (value) => storedLong(decimalToLong(String(value))),
    Date: (value) => dateOfLong(decimalToLong(String(value))),
    Double: (value) => storedDouble(decimalToDouble(String(value))),
  },
  Long: {
    Double: (value) => storedDouble(Number(value)),
    Date: (value) => dateOfInstant(Number(value)),
    Decimal: whole,
  },
  Name: { Path: sameText, URI: (value) => encoded(String(value)) },
  Path: { Name: (value) => singleStep(String(value)), URI: (value) => encoded(String(value)) },
  URI: { Name: (value) => singleStep(pathOfUri(value)), Path: pathOfUri },
  Reference: { WeakReference: sameText },
  WeakReference: { Reference: sameText },
};

const notConvertible = (value: Value, from: PropertyType, to: PropertyType, what: string) =>
  notOfType(to, `${from} ${isBytes(value) ? `of ${value.size} bytes` : value}`, what);
