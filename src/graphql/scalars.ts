import { GraphQLError, type GraphQLScalarType, Kind, print, type ValueNode, valueFromASTUntyped } from 'graphql';

/** How a scalar's values cross the API: out (`serialize`), in from variables (`parseValue`), in from the document (`parseLiteral`). */
type ScalarCoercion = Pick<GraphQLScalarType, 'serialize' | 'parseValue' | 'parseLiteral'>;

/**
 * DateTime: resolvers give ms since 1970, a Date, or ISO text; clients get ISO 8601 UTC with exactly three fraction digits.
 * Input is ISO text with an explicit offset and becomes ms since 1970.
 */
const dateTime: ScalarCoercion = {
  serialize(value) {
    const ms = typeof value === 'string' ? Date.parse(value) : Number(value);
    if (value === null || Number.isNaN(ms) || Math.abs(ms) > MS_MAX) {
      throw new TypeError(`expected a point in time for a DateTime, but got ${String(value)}`);
    }
    return new Date(ms).toISOString();
  },
  parseValue: (value) => parseDateTime(value),
  parseLiteral: (node) => parseDateTime(stringLiteral(node, 'DateTime')),
};

/** ECMA-262: a time value is at most 8.64e15 ms away from 1970. */
const MS_MAX = 8.64e15;
const ISO = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/i;

function parseDateTime(value: unknown): number {
  const parts = typeof value === 'string' ? ISO.exec(value) : null;
  if (parts === null) throw invalidDateTime(value);
  const ms = Date.parse(normalized(parts[0]));
  if (Number.isNaN(ms) || !isDayOfMonth(Number(parts[1]), Number(parts[2]), Number(parts[3])))
    throw invalidDateTime(value);
  return ms;
}

/** V8 takes a dot, at most three fraction digits for certain, and an offset with a colon. */
function normalized(text: string): string {
  return text
    .toUpperCase()
    .replace(',', '.')
    .replace(/(\.\d{3})\d+/, '$1')
    .replace(/([+-]\d{2})(\d{2})$/, '$1:$2');
}

/** V8 turns 30 February into 2 March; the client meant neither. */
function isDayOfMonth(year: number, month: number, day: number): boolean {
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

const invalidDateTime = (value: unknown) =>
  new GraphQLError(
    `expected a DateTime as ISO 8601 text with an offset, such as "2030-01-31T12:00:00.000Z", but got ${JSON.stringify(value)}`,
  );

/**
 * Long: a signed whole number of 64 bits. Safe integers are numbers on both sides; beyond 2^53 it is a string of digits.
 * Input may be a number or a numeric string.
 */
const long: ScalarCoercion = {
  serialize(value) {
    const text = typeof value === 'number' && Number.isSafeInteger(value) ? value : fromText(String(value));
    if (text === undefined) throw new TypeError(`expected a whole number for a Long, but got ${String(value)}`);
    return text;
  },
  parseValue(value) {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
    const parsed = typeof value === 'string' || typeof value === 'bigint' ? fromText(String(value)) : undefined;
    if (parsed === undefined) throw invalidLong(JSON.stringify(typeof value === 'bigint' ? String(value) : value));
    return parsed;
  },
  parseLiteral(node) {
    const parsed = node.kind === Kind.INT || node.kind === Kind.STRING ? fromText(node.value) : undefined;
    if (parsed === undefined) throw invalidLong('value' in node ? String(node.value) : node.kind);
    return parsed;
  },
};

const LONG_MAX = 2n ** 63n - 1n;
const LONG_MIN = -(2n ** 63n);

/** The number, or beyond the safe range its canonical digits; undefined when the text is no Long. */
function fromText(text: string): number | string | undefined {
  if (!/^[+-]?\d{1,40}$/.test(text)) return undefined;
  const exact = BigInt(text.replace('+', ''));
  if (exact > LONG_MAX || exact < LONG_MIN) return undefined;
  const asNumber = Number(exact);
  return Number.isSafeInteger(asNumber) ? asNumber : exact.toString();
}

const invalidLong = (found: string | undefined) =>
  new GraphQLError(`expected a Long as a whole number of 64 bits, or its digits as a string, but got ${found}`);

/** JSON: passed through. Depth and own `__proto__` keys of variables are refused before a document is executed, those of literals when it is validated. */
const json: ScalarCoercion = {
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => plain(valueFromASTUntyped(node, variables)),
};

/** Literals arrive as objects without prototype, variables as plain ones; resolvers get the same from both. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if (Object.hasOwn(value, '__proto__'))
    throw new GraphQLError("expected no key '__proto__' in JSON, but there is one");
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

/** Base64: text. Whether it is well formed is for the field that decodes it. */
const base64: ScalarCoercion = {
  serialize(value) {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
    if (typeof value !== 'string') throw new TypeError(`expected bytes or text for a Base64, but got ${typeof value}`);
    return value;
  },
  parseValue(value) {
    if (typeof value !== 'string')
      throw new GraphQLError(`expected a Base64 as a string, but got ${JSON.stringify(value)}`);
    return value;
  },
  parseLiteral: (node) => stringLiteral(node, 'Base64'),
};

/** The scalars of `schema/base.graphql`, by name: part of every set of resolvers. */
export const scalars: Readonly<Record<string, ScalarCoercion>> = {
  DateTime: dateTime,
  Long: long,
  JSON: json,
  Base64: base64,
};

/** The text of a string literal. @throws GraphQLError for any other literal */
function stringLiteral(node: ValueNode, scalar: string): string {
  if (node.kind === Kind.STRING) return node.value;
  throw new GraphQLError(`expected a ${scalar} as a string, but got ${print(node)}`, { nodes: node });
}
