import type { FeelValue } from './feel-value.js';

/** What an expression looks at. */
export interface FeelScope {
  /** The value of a name; undefined where there is none. */
  variable(name: string): FeelValue | undefined;
  /** What `now()` and `today()` tell, ms. */
  readonly now: number;
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
  /** Whether it may run long: it is evaluated in a thread that can be ended. */
  readonly long: boolean;
  /** Of the names that it mentions. */
  readonly names: readonly string[];
  /** The value; of unary tests whether `input` passes. @throws EXECUTION_FAILED */
  evaluate(scope: FeelScope, input?: FeelValue): FeelResult;
}
