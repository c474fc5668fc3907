import type { TypedValue, Variables } from '../../engine/index.js';
import { parseDateTime } from '../../expression/index.js';
import { instant, type Json, LONG, objectIn, unfit } from './rest-call.js';

/** A variable as operations take it. */
export interface GivenVariable {
  readonly name: string;
  readonly type: string | null;
  readonly value: unknown;
  readonly valueInfo?: unknown;
}

/** The variables of a request: `{ name: { value, type, valueInfo } }`. @throws BAD_REQUEST */
export function variablesIn(json: Json, field: string): GivenVariable[] {
  return Object.entries(objectIn(json, field) ?? {}).map(([name, given]) => {
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      throw unfit(`${field}.${name}`, 'an object with a value', given);
    return variableIn(name, given as Json, `${field}.`);
  });
}

/** The variable of this name: `{ value, type, valueInfo }`. @throws BAD_REQUEST */
export function variableIn(name: string, given: Json, within = ''): GivenVariable {
  const { type = null } = given;
  if (type !== null && typeof type !== 'string') throw unfit(`${within}${name}.type`, 'the name of a type', type);
  return givenVariable(name, type, given);
}

function givenVariable(name: string, type: string | null, { value = null, valueInfo }: Json): GivenVariable {
  if (typeof value === 'string' && value.startsWith(LONG))
    return { name, type: type ?? 'Long', value: value.slice(LONG.length), valueInfo };
  return { name, type, value: type?.toLowerCase() === 'json' ? jsonOf(value) : value, valueInfo };
}

/** What is of type Json is its text; a structure is read by the engine. */
function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string' || /^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** Whether structures are asked for as what they are. */
export const isDeserialized = ({ query }: { readonly query: URLSearchParams }): boolean =>
  query.get('deserializeValues') === 'true';

/** Variables as Camunda's clients read them: with the types that they were given with. `deserialize`: Objects and Json as what they are, not as text. */
export const variableValues = (variables: Variables, deserialize = false): Json =>
  Object.fromEntries(Object.entries(variables).map(([name, variable]) => [name, variableValue(variable, deserialize)]));

function variableValue({ type, value, info }: TypedValue, deserialize: boolean): Json {
  if (info !== undefined) {
    const { type: known, ...valueInfo } = info;
    if (known === 'File') return { type: known, value: null, valueInfo };
    const text = type === 'Json' && !deserialize ? JSON.stringify(value) : value;
    return { type: known, value: text, valueInfo };
  }
  return { type, value: type === 'Json' && deserialize ? value : plainValue(type, value), valueInfo: {} };
}

function plainValue(type: TypedValue['type'], value: unknown): unknown {
  if (type === 'Json') return JSON.stringify(value);
  if (type === 'Date' && typeof value === 'string') return instant(parseDateTime(value));
  if (type === 'Long' && typeof value === 'string') return LONG + value;
  if (type === 'Double' && Number.isSafeInteger(value)) return DOUBLE + String(value);
  return value;
}

/** What stands for a Double without a fraction, which clients know by its point, before its digits. */
const DOUBLE = '\u0001double:';

/** The text of an answer. Numbers of 64 bits are written with all digits, Doubles with a fraction. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll(/"\\u0001long:(-?\d+)"/g, '$1')
    .replaceAll(/"\\u0001double:(-?\d+)"/g, '$1.0');
