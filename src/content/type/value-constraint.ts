import { compareValues } from '../value/compare-values.js';
import { dateOf } from '../value/date-value.js';
import { decimalOf, doubleOf, longOf } from '../value/numbers.js';
import { isBytes, type PropertyType, type Value } from '../value/property.js';
import { type Effort, patternOf } from './pattern.js';

/** Whether a reference's target is of the type; unknown targets are somebody else's rule. */
export type TargetIsA = (identifier: string, type: string) => boolean;

/** Context of checking values against a constraint. */
interface ConstraintContext {
  readonly targetIsA: TargetIsA;
  /** Of all patterns together: where it is spent, no more of them match. */
  readonly effort: Effort;
}

/** A constraint in JCR's text, made ready (JCR 2.0 §3.7.3.6). */
export type Constraint = (value: Value, context: ConstraintContext) => boolean;

/** The most characters that a pattern looks at: more never satisfies it. */
const PATTERN_TEXT_MAX = 16_384;

/** The constraint for values of the type; null: its text means nothing for the type. */
export function constraintOf(type: PropertyType, text: string): Constraint | null {
  return READERS[type](text);
}

type Reader = (text: string) => Constraint | null;

/** The whole text must match. Java's patterns, as far as JavaScript has them, without back references and look-around. */
const pattern: Reader = (text) => {
  const expression = patternOf(text);
  if (expression === null) return null;
  return (value, { effort }) =>
    typeof value === 'string' && value.length <= PATTERN_TEXT_MAX && expression.matches(value, effort) === true;
};

const RANGE = /^([[(])\s*([^,]*?)\s*,\s*([^,]*?)\s*([\])])$/s;

/** Null: no end on that side. */
interface Limits {
  readonly min: Value | null;
  readonly max: Value | null;
  /** The bracket in front, `[` where the end is within. */
  readonly open: string;
  readonly close: string;
}

/** `[min, max]`, a round bracket leaving its end out, a missing end meaning none; or a single value. Null: neither, or nothing lies between. */
function limitsOf(type: PropertyType, text: string, read: (text: string) => Value | null): Limits | null {
  const found = RANGE.exec(text);
  const [, open = '[', low = text, high = text, close = ']'] = found ?? [];
  if (found === null && low === '') return null;
  const [min, max] = [low === '' ? null : read(low), high === '' ? null : read(high)];
  if ((low !== '' && min === null) || (high !== '' && max === null)) return null;
  return min !== null && max !== null && compareValues(type, min, max) > 0 ? null : { min, max, open, close };
}

const range =
  (type: PropertyType, read: (text: string) => Value | null, of: (value: Value) => Value = (value) => value): Reader =>
  (text) => {
    const limits = limitsOf(type, text.trim(), read);
    if (limits === null) return null;
    const { min, max, open, close } = limits;
    return (value) => {
      const above = min === null ? 1 : compareValues(type, of(value), min);
      const below = max === null ? -1 : compareValues(type, of(value), max);
      return (above > 0 || (above === 0 && open === '[')) && (below < 0 || (below === 0 && close === ']'));
    };
  };

/** A path exactly, or with all below it: a trailing `*`. */
const path: Reader = (text) => {
  if (!text.endsWith('*')) return (value) => value === text;
  const start = text.slice(0, -1);
  return (value) => typeof value === 'string' && value.length > start.length && value.startsWith(start);
};

const exactly: Reader = (text) => (value) => value === text;

const target: Reader =
  (text) =>
  (value, { targetIsA }) =>
    typeof value === 'string' && targetIsA(value, text);

const READERS: Readonly<Record<PropertyType, Reader>> = {
  String: pattern,
  URI: pattern,
  Binary: range('Long', longOf, (value) => (isBytes(value) ? value.size : 0)),
  Long: range('Long', longOf),
  Double: range('Double', doubleOf),
  Decimal: range('Decimal', decimalOf),
  Date: range('Date', dateOf),
  Boolean: (text) => (/^(?:true|false)$/.test(text) ? (value) => String(value) === text : null),
  Name: exactly,
  Path: path,
  Reference: target,
  WeakReference: target,
};
