import { Double } from '../exchange/double.js';
import { ExchangeFailure } from '../exchange/failure.js';

/** Camel's test for texts that are compared as integers. */
export const isNumber = (text: string): boolean => /^-?\d+$/.test(text);
/** Camel's test for texts that are compared as doubles. */
export const isFloatingNumber = (text: string): boolean => /^-?\d+(?:\.\d+)?$/.test(text);

/** Java's numbers. An integer is a number, or a bigint beyond 2^53; a {@link Double} and a number with a fraction are doubles. */
export const isNumeric = (value: unknown): value is number | bigint | Double =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof Double;

/** Whether it is an Integer or a Long. */
export const isInteger = (value: unknown): value is number | bigint =>
  Number.isSafeInteger(value) || typeof value === 'bigint';

/** Digits that always fit into a number. */
const SAFE_DIGITS = 15;

/** The integer of a text that {@link isNumber} holds for. */
export const integerText = (text: string): number | bigint =>
  text.length <= SAFE_DIGITS ? Number(text) : smallest(BigInt(text));

const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER);
const smallest = (value: bigint): number | bigint => (value <= SAFE_MAX && value >= -SAFE_MAX ? Number(value) : value);

/** A number cut off to an integer of so many bits (0: any), as Java casts it. */
export function integerOf(value: number | bigint | Double, bits: number): number | bigint {
  if (typeof value === 'bigint') return smallest(bits === 0 ? value : BigInt.asIntN(bits, value));
  const cut = Math.trunc(Number(value));
  if (Number.isSafeInteger(cut) && (bits === 0 || bits === 64 || Math.abs(cut) < 2 ** (bits - 1))) return cut;
  if (!Number.isFinite(cut)) return 0;
  return smallest(bits === 0 ? BigInt(cut) : BigInt.asIntN(bits, BigInt(cut)));
}

/** Integer of so many bits (0: any) from its text, as Java reads it. @throws ExchangeFailure NumberFormatException */
export function textNumber(text: string, bits: number): number | bigint {
  if (/^[-+]?\d{1,10000}$/.test(text)) {
    const value = integerText(text.startsWith('+') ? text.slice(1) : text);
    if (bits === 0 || BigInt.asIntN(bits, BigInt(value)) === BigInt(value)) return value;
  }
  throw notNumber(text);
}

/** What Java reads as a double. @throws ExchangeFailure NumberFormatException */
export function numberText(text: string): number {
  const trimmed = text.trim();
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[dDfF]?$/.test(trimmed)) return Number(trimmed.replace(/[dDfF]$/, ''));
  if (/^[-+]?(?:NaN|Infinity)$/.test(trimmed)) return Number(trimmed.replace(/^[-+](?=NaN)/, ''));
  throw notNumber(text);
}

const SHOWN_MAX = 200;
const notNumber = (text: string) =>
  new ExchangeFailure('java.lang.NumberFormatException', `For input string: "${text.slice(0, SHOWN_MAX)}"`);
