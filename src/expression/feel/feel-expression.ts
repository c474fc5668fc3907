import type { IdSource } from '../../shared/ids.js';
import type { FeelValue } from './feel-value.js';

/** What an expression looks at. */
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
  /** Whether it may run long: it is evaluated in a thread that can be ended. */
  readonly long: boolean;
  /** Of the names that it mentions. */
  readonly names: readonly string[];
  /** Whether it may call a function that tells something else each time. */
  readonly chancy: boolean;
  /** The value; of unary tests whether `input` passes. @throws EXECUTION_FAILED */
  evaluate(scope: FeelScope, input?: FeelValue): FeelResult;
}
