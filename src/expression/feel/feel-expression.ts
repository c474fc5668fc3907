import type { IdSource } from '../../shared/ids.js';
import { type FeelValue, weigh } from './feel-value.js';

/** Variables, time and chance that an expression in FEEL is evaluated with. */
export interface FeelScope {
  /** The value of a name; undefined where there is none. */
  variable(name: string): FeelValue | undefined;
  /** What `now()` and `today()` tell, ms. */
  readonly now: number;
  /** What `uuid()` and `random number()` tell. Not given: they are null. */
  readonly chance?: IdSource | undefined;
}

/** A value, and why it is null where FEEL could not make it: `Variable 'x' not found`. */
export interface FeelResult {
  readonly value: FeelValue;
  readonly cause: string | null;
}

/** A compiled text of FEEL. It has no state. */
export interface FeelExpression {
  readonly text: string;
  /** Whether it is evaluated without the library: it takes no time to compile. */
  readonly simple: boolean;
  /** Whether it may run long as rules of runs below 8 have it: it is evaluated in a thread that can be ended. */
  readonly long: boolean;
  /** The most values ({@link weigh}) that it may look at without that it may run long; 0: it may in any case. */
  readonly heaviest: number;
  /** Of the names that it mentions. */
  readonly names: readonly string[];
  /** Whether it may call a function that tells something else each time. */
  readonly chancy: boolean;
  /** The value; of unary tests whether `input` passes. @throws EXECUTION_FAILED */
  evaluate(scope: FeelScope, input?: FeelValue): FeelResult;
}

/** Whether an evaluation may run long, by what it looks at. */
export function mayRunLong({ heaviest, names }: FeelExpression, scope: FeelScope, input: FeelValue = null): boolean {
  if (heaviest >= WEIGHT_LOOKED_AT) return false;
  let left = heaviest - weigh(input, heaviest, heaviest);
  for (const name of names) {
    if (left <= 0) return true;
    left -= weigh(scope.variable(name) ?? null, left, left);
  }
  return left <= 0;
}

/** No value that an expression gives weighs as much. */
const WEIGHT_LOOKED_AT = 100_000;
