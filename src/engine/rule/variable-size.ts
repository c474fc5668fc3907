import { limitExceeded } from '../../shared/errors.js';

/** The largest variable, in characters of JSON. */
export const VARIABLE_MAX = 4_000_000;

/** @throws LIMIT_EXCEEDED (a value beyond 4,000,000 characters of JSON) */
export function checkSize(name: string, value: unknown): void {
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
