import { parseDateTime } from '../../expression/index.js';
import { badRequest, limitExceeded, type ServiceError } from '../../shared/errors.js';
import { isSoundText, isVariableName, SOUND_TEXT, VARIABLE_NAME } from '../../shared/sound-text.js';
import type { TypedValue, ValueInfo, Variables, VariableType } from '../element/instance-state.js';
import { isAtMost, typed } from '../element/native.js';
import { badArgument } from '../errors.js';

/** A variable as a caller gives it. Without a type, the JSON value's own. */
export interface VariableInput {
  readonly name: string;
  readonly type?: string | null;
  readonly value?: unknown;
  /** What Camunda says of an Object (`objectTypeName`, `serializationDataFormat`) or a File (`filename`, `mimeType`, `encoding`); `transient`: it is not stored. */
  readonly valueInfo?: unknown;
}

const INTEGER_MAX = 2 ** 31 - 1;
const LONG_MAX = 2n ** 63n - 1n;
const NULL: TypedValue = { type: 'Null', value: null };

/** The names that the API takes for a type, in small letters; `object` is what Camunda calls structured data. */
const TYPES: Readonly<Record<string, VariableType>> = {
  string: 'String',
  long: 'Long',
  integer: 'Integer',
  double: 'Double',
  boolean: 'Boolean',
  date: 'Date',
  json: 'Json',
  object: 'Json',
  xml: 'String',
  bytes: 'String',
  file: 'String',
  short: 'Integer',
  null: 'Null',
};

/**
 * The variables of a caller, typed; the last of one name counts.
 * @throws BAD_REQUEST (name, type and what was found), LIMIT_EXCEEDED (a value beyond 4,000,000 characters of JSON)
 */
export function typedVariables(inputs: readonly VariableInput[] | null | undefined): Variables {
  const variables: Variables = {};
  for (const input of inputs ?? []) {
    const name = checkedName(input.name);
    const value = typedValue(input);
    checkSize(name, value.value);
    variables[name] = isTransient(input) ? { ...value, transient: true } : value;
  }
  return variables;
}

/** As Camunda's clients say it of a variable that is not to be stored. */
const isTransient = ({ valueInfo }: VariableInput): boolean =>
  typeof valueInfo === 'object' && valueInfo !== null && 'transient' in valueInfo && valueInfo.transient === true;

/** The variables that a handler or an event carries as plain JSON, typed by their values. @throws BAD_REQUEST (a name) */
export function inferredVariables(values: Readonly<Record<string, unknown>>): Variables {
  return typedVariables(Object.entries(values).map(([name, value]) => ({ name, value })));
}

/** One value, typed as declared, else as its JSON value is. Null is `Null`, which keeps what was declared. @throws BAD_REQUEST */
export function typedValue(input: VariableInput): TypedValue {
  const { name, type, value } = input;
  if (value === null || value === undefined) return nullOf(input);
  if (type === null || type === undefined || type === '') return typed(value);
  const declared = Object.hasOwn(TYPES, type.toLowerCase()) ? TYPES[type.toLowerCase()] : undefined;
  if (declared === undefined) {
    throw badArgument('type', `one of String, Long, Integer, Double, Boolean, Date, Json, Null for '${name}'`, type);
  }
  const info = infoOf(input);
  if (info === undefined) return { type: declared, value: READERS[declared](name, value) };
  return { ...ofCamunda(info, { name, declared, value }), info };
}

/** A null, which comes back with the type that it was given with. */
function nullOf(input: VariableInput): TypedValue {
  const lower = input.type?.toLowerCase() ?? '';
  const declared = Object.hasOwn(TYPES, lower) ? TYPES[lower] : undefined;
  if (declared === undefined || declared === 'Null') return NULL;
  return { ...NULL, info: infoOf(input) ?? { type: declared } };
}

interface Declared {
  readonly name: string;
  readonly declared: VariableType;
  readonly value: unknown;
}

/** A value of a type that Camunda has beside ours. What is an Object in another format than JSON is kept as its text. */
function ofCamunda(info: ValueInfo, { name, declared, value }: Declared): TypedValue {
  if (info.type === 'Object' && !isJson(info)) return { type: 'String', value: READERS.String(name, value) };
  if (info.type === 'Object' && typeof value === 'string') return { type: declared, value: parsedJson(name, value) };
  const read = READERS[declared](name, value);
  if ((info.type === 'Bytes' || info.type === 'File') && NOT_BASE64.test(String(read)))
    throw mismatch(name, 'Base64', value);
  if (info.type === 'Short' && Math.abs(Number(read) + 0.5) > 2 ** 15)
    throw mismatch(name, 'a whole number of 16 bits', value);
  return { type: declared, value: read };
}

/** What no text in Base64 has, in either alphabet of it, with line ends or without. */
const NOT_BASE64 = /[^A-Za-z0-9+/\-_=\s]/;

/** Camunda's own types, in small letters. */
const INFO_TYPES: Readonly<Record<string, ValueInfo['type']>> = {
  object: 'Object',
  xml: 'Xml',
  bytes: 'Bytes',
  file: 'File',
  short: 'Short',
};

/** What each of them is told beside its value; of names after the first: how else it is spelt. */
const INFO_FIELDS: Partial<Readonly<Record<ValueInfo['type'], readonly (readonly [keyof ValueInfo, string?])[]>>> = {
  Object: [['objectTypeName'], ['serializationDataFormat']],
  File: [['filename'], ['mimeType', 'mimetype'], ['encoding']],
};

/** What comes back with the value; nothing where its type says it all. */
function infoOf({ type, valueInfo }: VariableInput): ValueInfo | undefined {
  const known = INFO_TYPES[type?.toLowerCase() ?? ''];
  if (known === undefined) return undefined;
  const given = (typeof valueInfo === 'object' && valueInfo !== null ? valueInfo : {}) as Record<string, unknown>;
  const fields = (INFO_FIELDS[known] ?? []).flatMap(([name, other = name]) => {
    const value = given[name] ?? given[other];
    return typeof value === 'string' ? [[name, bounded('valueInfo', value, 'reason')]] : [];
  });
  // An object of no class is what Json is.
  if (known === 'Object' && fields.length === 0) return undefined;
  return { type: known, ...(known === 'File' && { filename: 'file' }), ...Object.fromEntries(fields) };
}

const isJson = ({ serializationDataFormat = 'application/json' }: ValueInfo): boolean =>
  /json/i.test(serializationDataFormat);

const READERS: Readonly<Record<VariableType, (name: string, value: unknown) => unknown>> = {
  String: (_, value) => (typeof value === 'string' ? value : JSON.stringify(value)),
  Long: readLong,
  Integer: readInteger,
  Double: readDouble,
  Boolean: readBoolean,
  Date: readDate,
  Json: readJson,
  Null: (name, value) => {
    throw mismatch(name, 'null', value);
  },
};

/** A number up to 2^53; beyond that the decimal text, which keeps all digits. */
function readLong(name: string, value: unknown): number | string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  const text = typeof value === 'string' ? value.trim() : '';
  if (!/^[+-]?\d{1,19}$/.test(text)) throw mismatch(name, 'a whole number', value);
  const long = BigInt(text);
  if (long > LONG_MAX || long < -LONG_MAX - 1n) throw mismatch(name, 'a whole number of 64 bits', value);
  return Number.isSafeInteger(Number(long)) ? Number(long) : long.toString();
}

function readInteger(name: string, value: unknown): number {
  const number = readLong(name, value);
  if (typeof number === 'string' || number > INTEGER_MAX || number < -INTEGER_MAX - 1) {
    throw mismatch(name, 'a whole number of 32 bits', value);
  }
  return number;
}

function readDouble(name: string, value: unknown): number {
  if (typeof value === 'number') return value;
  const text = typeof value === 'string' ? value.trim() : '';
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(number)) throw mismatch(name, 'a number', value);
  return number;
}

function readBoolean(name: string, value: unknown): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw mismatch(name, 'true or false', value);
}

/** ISO 8601, or ms since 1970; kept as ISO 8601 text in UTC. */
function readDate(name: string, value: unknown): string {
  const expected = "a date of ISO 8601 such as '2026-01-31T08:00:00Z'";
  if (typeof value === 'number' && Math.abs(value) <= 8.64e15) return new Date(value).toISOString();
  try {
    if (typeof value === 'string') return new Date(parseDateTime(value)).toISOString();
  } catch {
    // Refused as any other value that is no date.
  }
  throw mismatch(name, expected, value);
}

/** An object or a list, which the clients of Camunda give as its text; any other text is a value of its own. */
function readJson(name: string, value: unknown): unknown {
  return typeof value === 'string' && /^\s*[[{]/.test(value) ? parsedJson(name, value) : value;
}

function parsedJson(name: string, value: unknown): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    throw mismatch(name, 'JSON', value);
  }
}

function checkedName(name: unknown): string {
  if (isVariableName(name)) return name;
  throw badArgument('variables', VARIABLE_NAME, name);
}

const mismatch = (name: string, expected: string, found: unknown): ServiceError =>
  badArgument('variables', `${expected} for variable '${name}'`, found);

/** The largest variable, in characters of JSON. */
export const VARIABLE_MAX = 4_000_000;

/** @throws LIMIT_EXCEEDED (a value beyond 4,000,000 characters of JSON) */
function checkSize(name: string, value: unknown): void {
  // Of a text its length alone is looked at.
  if (isAtMost(value, typeof value === 'string' ? VARIABLE_MAX : LOOKED_AT_MAX)) return;
  const { length } = JSON.stringify(value);
  if (length > VARIABLE_MAX) throw variableTooLarge(name, length);
}

export const variableTooLarge = (name: string, found: number) =>
  limitExceeded(
    `expected at most ${VARIABLE_MAX} characters of JSON as the value of variable '${name}', but found ${found}`,
    { reason: 'variable_too_large', resourceId: name },
  );

/** Beyond this, making the JSON text of an object takes less than looking at all of its members. */
const LOOKED_AT_MAX = 100_000;

/** The most characters of texts that callers give. */
const TEXT_LIMITS = {
  name: 255,
  /** Of a message or signal. */
  eventName: 4_000,
  /** As in Camunda. */
  annotation: 4_000,
  reason: 4_000,
  message: 16_384,
} as const;

/** The text; nothing for nothing. @throws LIMIT_EXCEEDED; BAD_REQUEST (NUL, halves of surrogate pairs) */
export function bounded(
  argument: string,
  text: string | null | undefined,
  kind: keyof typeof TEXT_LIMITS,
): string | null {
  if (text === null || text === undefined) return null;
  const max = TEXT_LIMITS[kind];
  if (text.length > max) throw tooLong(argument, text, max);
  if (isSoundText(text)) return text;
  throw badRequest(`expected ${SOUND_TEXT} as '${argument}', but there are some`, {
    reason: 'invalid_text',
    details: { argument },
  });
}

const tooLong = (argument: string, text: string, max: number) =>
  limitExceeded(`expected at most ${max} characters as '${argument}', but found ${text.length}`, {
    reason: 'argument_too_long',
    details: { argument },
  });
