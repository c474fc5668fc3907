import { limitExceeded } from '../../shared/errors.js';

/** The largest variable, in characters of JSON. */
export const VARIABLE_MAX = 4_000_000;

/** @throws LIMIT_EXCEEDED (a value beyond 4,000,000 characters of JSON) */
export function checkSize(name: string, value: unknown): void {
  if (lengthMax(value) <= VARIABLE_MAX) return;
  const { length } = JSON.stringify(value);
  if (length > VARIABLE_MAX) throw variableTooLarge(name, length);
}

export const variableTooLarge = (name: string, found: number) =>
  limitExceeded(
    `expected at most ${VARIABLE_MAX} characters of JSON as the value of variable '${name}', but found ${found}`,
    { reason: 'variable_too_large', resourceId: name },
  );

/** How many characters a plain value's JSON text has at most; takes less than making that text. */
export function lengthMax(value: unknown): number {
  if (typeof value === 'string') return 6 * value.length + 2; // each may be written as \uXXXX
  if (typeof value !== 'object' || value === null) return SCALAR_LENGTH_MAX;
  let length = 2;
  for (const name in value) length += 6 * name.length + 4 + lengthMax(value[name as keyof typeof value]);
  return length;
}

/** No number is written longer. */
const SCALAR_LENGTH_MAX = 32;
