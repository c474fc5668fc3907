import type { TypedValue } from './instance-state.js';

const INTEGER_LIMIT = 2 ** 31;
const NULL: TypedValue = { type: 'Null', value: null };

/**
 * The typed value of what an expression, a script or a handler gave, as Camunda infers it. A whole number is an Integer where a Java int holds
 * it, then a Long; whatever is no single value is Json.
 */
export function typed(native: unknown): TypedValue {
  switch (typeof native) {
    case 'string':
      return { type: 'String', value: native };
    case 'boolean':
      return { type: 'Boolean', value: native };
    case 'number':
      return { type: numberType(native), value: native };
    case 'bigint':
      return { type: 'Long', value: isSafe(native) ? Number(native) : native.toString() };
    case 'object':
      if (native === null) return NULL;
      if (native instanceof Date) return { type: 'Date', value: native.toISOString() };
      return { type: 'Json', value: native };
    default:
      return NULL;
  }
}

/** The plain JavaScript value: a Date for a date, a bigint for a Long beyond 2^53. */
export function native({ type, value }: TypedValue): unknown {
  if (type === 'Date' && typeof value === 'string') return new Date(value);
  if (type === 'Long' && typeof value === 'string') return BigInt(value);
  return value;
}

/** A native value as its text; null stays null. */
export function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function numberType(value: number): TypedValue['type'] {
  if (!Number.isSafeInteger(value)) return 'Double';
  return Math.abs(value) < INTEGER_LIMIT ? 'Integer' : 'Long';
}

const isSafe = (value: bigint) => value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;

/** Whether a plain value's JSON text surely has at most so many characters; takes less than making that text. */
export const isAtMost = (value: unknown, length: number): boolean => lengthLeft(value, length) >= 0;

/** How many characters are left of `room` when those that the value's JSON text may have are taken from it; it stops looking below 0. */
function lengthLeft(value: unknown, room: number): number {
  if (typeof value === 'string') return room - 6 * value.length - 2; // each may be written as \uXXXX
  if (typeof value !== 'object' || value === null) return room - SCALAR_LENGTH_MAX;
  let left = room - 2;
  for (const name in value) {
    left = lengthLeft(value[name as keyof typeof value], left - 6 * name.length - 4);
    if (left < 0) return left;
  }
  return left;
}

/** No number is written longer. */
const SCALAR_LENGTH_MAX = 32;
