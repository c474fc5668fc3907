import { Double } from '../exchange/double.js';
import { ExchangeFailure } from '../exchange/failure.js';
import { Headers } from '../exchange/headers.js';

/** A Java class as a value: what `${bodyType}` gives. */
export class JavaClass {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  get simpleName(): string {
    return this.name.slice(this.name.lastIndexOf('.') + 1);
  }

  toString(): string {
    return `class ${this.name}`;
  }
}

const OBJECT = 'java.lang.Object';
const INT_MAX = 2_147_483_647;

/** The Java class that a value has in Camel: `java.lang.String`, `java.util.ArrayList`, `byte[]`. */
export function typeName(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'java.lang.String';
    case 'boolean':
      return 'java.lang.Boolean';
    case 'number':
      if (!Number.isSafeInteger(value)) return 'java.lang.Double';
      return value <= INT_MAX && value >= -INT_MAX - 1 ? 'java.lang.Integer' : 'java.lang.Long';
    case 'bigint':
      return BigInt.asIntN(64, value) === value ? 'java.lang.Long' : 'java.math.BigInteger';
    case 'object':
      return value === null ? 'null' : objectType(value);
    case 'undefined':
      return 'null';
    default:
      return 'java.lang.Object';
  }
}

const OBJECTS: readonly (readonly [is: (value: object) => boolean, type: string])[] = [
  [Array.isArray, 'java.util.ArrayList'],
  [(value) => value instanceof Double, 'java.lang.Double'],
  [(value) => value instanceof Uint8Array, 'byte[]'],
  [(value) => value instanceof Date, 'java.util.Date'],
  [(value) => value instanceof Set, 'java.util.LinkedHashSet'],
  [(value) => value instanceof JavaClass, 'java.lang.Class'],
  [(value) => value instanceof Headers, 'org.apache.camel.util.CaseInsensitiveMap'],
  [(value) => value instanceof Error, 'java.lang.RuntimeException'],
  [(value) => isStream(value), 'java.io.InputStream'],
  [(value) => typeof Reflect.get(value, 'next') === 'function', 'java.util.Iterator'],
  [(value) => typeof Reflect.get(value, 'nodeType') === 'number', 'org.w3c.dom.Node'],
  [(value) => isMap(value), 'java.util.LinkedHashMap'],
];

function objectType(value: object): string {
  if (value instanceof ExchangeFailure) return value.type;
  return OBJECTS.find(([is]) => is(value))?.[1] ?? OBJECT;
}

/** A body that comes in pieces: bytes or texts. */
export const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** Names and values: an object of JSON, or a Map. */
export function isMap(value: unknown): value is Map<unknown, unknown> | Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof Map) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const SHORT: Readonly<Record<string, string>> = {
  boolean: 'java.lang.Boolean',
  byte: 'java.lang.Byte',
  char: 'java.lang.Character',
  short: 'java.lang.Short',
  int: 'java.lang.Integer',
  long: 'java.lang.Long',
  float: 'java.lang.Float',
  double: 'java.lang.Double',
  '[B': 'byte[]',
};
for (const name of 'String Boolean Byte Character Short Integer Long Float Double Object'.split(' ')) {
  Object.assign(SHORT, { [name]: `java.lang.${name}` });
}

const COLLECTION = ['java.lang.Iterable', 'java.util.Collection'];
const NUMBER = ['java.lang.Number', 'java.lang.Comparable', 'java.io.Serializable'];
/** What a value of a class is, too. */
const SUPERTYPES: Readonly<Record<string, readonly string[]>> = {
  'java.lang.String': ['java.lang.CharSequence', 'java.lang.Comparable', 'java.io.Serializable'],
  'java.lang.Boolean': ['java.lang.Comparable', 'java.io.Serializable'],
  'java.lang.Integer': NUMBER,
  'java.lang.Long': NUMBER,
  'java.lang.Double': NUMBER,
  'java.math.BigInteger': NUMBER,
  'java.util.Date': ['java.lang.Comparable', 'java.io.Serializable'],
  'java.util.ArrayList': [...COLLECTION, 'java.util.List', 'java.util.RandomAccess', 'java.util.AbstractList'],
  'java.util.LinkedHashSet': [...COLLECTION, 'java.util.Set', 'java.util.HashSet'],
  'java.util.LinkedHashMap': ['java.util.Map', 'java.util.HashMap', 'java.util.AbstractMap'],
  'org.apache.camel.util.CaseInsensitiveMap': ['java.util.Map'],
  'java.lang.RuntimeException': ['java.lang.Exception', 'java.lang.Throwable'],
  'org.w3c.dom.Node': ['org.w3c.dom.Document', 'org.w3c.dom.Element'],
  'byte[]': [],
  'java.io.InputStream': ['org.apache.camel.StreamCache'],
  'java.util.Iterator': [],
  'java.lang.Class': [],
};

const KNOWN = new Set([
  OBJECT,
  ...Object.values(SHORT),
  ...Object.keys(SUPERTYPES),
  ...Object.values(SUPERTYPES).flat(),
  ...['java.io.Reader', 'java.io.File', 'java.util.LinkedList', 'java.math.BigDecimal', 'java.nio.ByteBuffer'],
  ...['java.util.Properties', 'java.util.UUID', 'java.util.Locale', 'java.util.TimeZone', 'java.time.Instant'],
  ...['java.net.URI', 'java.net.URL', 'org.w3c.dom.NodeList', 'javax.xml.transform.Source', 'String[]', 'Object[]'],
]);

/** The class of a name as Camel's class resolver takes it: `int`, `String` and full names. `undefined`: there is none that values can have here. */
export function javaClass(name: string): string | undefined {
  const trimmed = name.trim().replace(/\.class$/, '');
  const full = SHORT[trimmed] ?? trimmed;
  return KNOWN.has(full) || isThrowable(full) ? full : undefined;
}

const isThrowable = (name: string): boolean => /^[a-z][\w.]*\.[A-Z]\w*(?:Exception|Error)$/.test(name);

/** Java's `instanceof`. `type`: a full name. */
export function isInstance(value: unknown, type: string): boolean {
  if (value === null || value === undefined) return false;
  const own = typeName(value);
  if (own === type || type === OBJECT) return true;
  if (value instanceof Error) return /^java\.lang\.(?:Exception|Throwable)$/.test(type);
  return SUPERTYPES[own]?.includes(type) === true;
}
