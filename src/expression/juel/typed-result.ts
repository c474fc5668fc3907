import { described, toDouble, toLong } from './coerce.js';
import { DateBean } from './date-bean.js';
import { Failure } from './failure.js';
import { kindOf } from './value.js';

/**
 * A value as process variables are kept, as plain JSON. Date: ISO 8601 text, UTC, milliseconds. Long beyond ±2^53: text. Double: a number, or
 * the text NaN, Infinity or -Infinity. Json: lists and maps.
 */
export interface TypedResult {
  readonly type: 'String' | 'Long' | 'Integer' | 'Double' | 'Boolean' | 'Date' | 'Json' | 'Null';
  readonly value: unknown;
}

/** `declared`: the type of the variable that the value was read from, if it was no more than read. */
export function typedResult(value: unknown, declared: string | undefined): TypedResult {
  const kind = kindOf(value);
  switch (kind) {
    case 'null':
      return { type: 'Null', value: null };
    case 'String':
    case 'Boolean':
      return { type: declared === 'Json' ? 'Json' : kind, value };
    case 'Double':
      return { type: declared === 'Json' ? 'Json' : 'Double', value: plainDouble(toDouble(value)) };
    case 'Long':
      return typedLong(toLong(value), declared);
    case 'Date':
      return { type: 'Date', value: value instanceof DateBean ? value.toString() : null };
    case 'List':
    case 'Map':
      return { type: 'Json', value };
    case 'bean':
      throw new Failure(`expected a value that can be kept in a variable, but found ${described(value)}`);
  }
}

function typedLong(value: number | bigint, declared: string | undefined): TypedResult {
  if (typeof value === 'bigint') return { type: 'Long', value: value.toString() };
  return { type: declared === 'Integer' || declared === 'Json' ? declared : 'Long', value };
}

const plainDouble = (value: number): number | string => (Number.isFinite(value) ? value : String(value));
