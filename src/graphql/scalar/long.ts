import { GraphQLError, Kind } from 'graphql';
import type { ScalarCoercion } from './scalar-coercion.js';

/**
 * Long: a signed whole number of 64 bits. Safe integers are numbers on both sides; beyond 2^53 it is a string of digits.
 * Input may be a number or a numeric string.
 */
export const long: ScalarCoercion = {
  serialize(value) {
    const text = typeof value === 'number' && Number.isSafeInteger(value) ? value : fromText(String(value));
    if (text === undefined) throw new TypeError(`expected a whole number for a Long, but got ${String(value)}`);
    return text;
  },
  parseValue(value) {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
    const parsed = typeof value === 'string' || typeof value === 'bigint' ? fromText(String(value)) : undefined;
    if (parsed === undefined) throw invalid(JSON.stringify(typeof value === 'bigint' ? String(value) : value));
    return parsed;
  },
  parseLiteral(node) {
    const parsed = node.kind === Kind.INT || node.kind === Kind.STRING ? fromText(node.value) : undefined;
    if (parsed === undefined) throw invalid('value' in node ? String(node.value) : node.kind);
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

const invalid = (found: string | undefined) =>
  new GraphQLError(`expected a Long as a whole number of 64 bits, or its digits as a string, but got ${found}`);
