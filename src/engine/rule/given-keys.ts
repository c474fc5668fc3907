import { ServiceError } from '../../shared/errors.js';
import type { TypedValue } from '../element/typed-value.js';
import { badArgument } from '../errors.js';
import type { CorrelationKey } from './correlation-key.js';
import { bounded, typedValue, type VariableInput } from './given-value.js';

/** How many of a kind a message may name. */
const KEYS_MAX = 50;

/**
 * The keys of a caller: an object of names and values. A plain number is compared as a number, whatever type the variable has; `{ type, value }` with the
 * type alone, as in Camunda. What has a structure cannot be compared. @throws BAD_REQUEST
 */
export function correlationKeys(argument: string, given: unknown): readonly CorrelationKey[] {
  if (given === null || given === undefined) return [];
  if (typeof given !== 'object' || Array.isArray(given))
    throw badArgument(argument, 'an object of names and values', given);
  const entries = Object.entries(given);
  if (entries.length > KEYS_MAX) throw badArgument(argument, `at most ${KEYS_MAX} variables`, `${entries.length}`);
  return entries.map(([name, value]) => {
    bounded(argument, name, 'name');
    return keyOf(argument, name, value);
  });
}

function keyOf(argument: string, name: string, given: unknown): CorrelationKey {
  if (typeof given === 'number') return { name, type: 'Number', value: given };
  const { type, value } = isTyped(given) ? given : { type: null, value: given };
  if (type !== null && type.toLowerCase() === 'number') return numberKey(argument, name, value);
  const typed = typedKey(argument, { name, type, value });
  if (typed.type === 'Null') return { name, type: 'Null', value: null };
  if (typed.type === 'Json' || (typed.info !== undefined && typed.info.type !== 'Short'))
    throw badArgument(argument, `a text, a number, true, false, null or a date as '${name}'`, value);
  return { name, type: typed.info === undefined ? typed.type : 'Short', value: typed.value };
}

/** What is wrong is told of the argument that it is in. @throws BAD_REQUEST */
function typedKey(argument: string, given: VariableInput): TypedValue {
  try {
    return typedValue(given);
  } catch (thrown) {
    if (!(thrown instanceof ServiceError) || thrown.code !== 'BAD_REQUEST') throw thrown;
    const types = 'Number, String, Short, Integer, Long, Double, Boolean, Date and Null';
    const { name, type, value } = given;
    throw badArgument(argument, `for '${name}' a type among ${types}, and a value of that type`, { type, value });
  }
}

function numberKey(argument: string, name: string, value: unknown): CorrelationKey {
  if (typeof value === 'number') return { name, type: 'Number', value };
  throw badArgument(argument, `a number as '${name}'`, value);
}

function isTyped(given: unknown): given is { readonly type: string | null; readonly value: unknown } {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false;
  const { type, value, ...more } = given as { readonly type?: unknown; readonly value?: unknown };
  return (typeof type === 'string' || type === null) && value !== undefined && Object.keys(more).length === 0;
}
