import {
  compileFeel,
  type FeelExpression,
  type FeelValue,
  fromFeel,
  mayBeMentioned,
  mayNeedShape,
  shapeOf,
  toFeel,
  weigh,
} from '../../expression/index.js';
import { messageOf, ServiceError } from '../../shared/errors.js';
import { type IdSource, idSource, seedOf } from '../../shared/ids.js';
import { ask, executionFailed } from './failure.js';
import type { TypedValue, Variables } from './instance-state.js';
import { native, typed } from './native.js';
import type { At, Run } from './run.js';
import { lookUp, visible } from './variables.js';

/** The value of an expression of FEEL, and why it is null where FEEL could not make it. */
interface FeelOutcome {
  readonly value: TypedValue;
  readonly cause: string | null;
}

/** Question of an expression that may run long: it is evaluated in a thread that can be ended. */
export interface FeelQuestion {
  readonly text: string;
  readonly elementId: string;
  /** ms; what `now()` tells. */
  readonly now: number;
  /** Those that it mentions. */
  readonly variables: Variables;
  /** Decides what `uuid()` and `random number()` tell, where it may call them. */
  readonly seed?: string;
}

/** Values that an expression in line may look at; what looks at more may take long. */
const WEIGHT_INLINE_MAX = 1_000;
/** Values that an expression may give. */
const RESULT_WEIGHT_MAX = 100_000;

/** Evaluates an expression of FEEL. @throws EXECUTION_FAILED */
export function evaluateFeel(run: Run, at: At, text: string): FeelOutcome {
  const { now } = run.context;
  const expression = attempt(at, text, () => compiled(run, at, text));
  const variables: Record<string, TypedValue> = {};
  for (const name of expression.names) {
    const value = lookUp(run, at.scope, name);
    if (value !== undefined) variables[name] = value;
  }
  const seed = expression.chancy ? { seed: run.context.ids.next() } : {};
  const { long, heaviest } = expression;
  const most = run.rules < 8 ? (long ? 0 : WEIGHT_INLINE_MAX) : Math.min(heaviest, WEIGHT_INLINE_MAX);
  if (most > 0 && weigh(variables, most) < most) {
    return attempt(at, text, () => outcomeOf(expression, { now, variables, ...seed }));
  }
  const question: FeelQuestion = { text, elementId: at.place.element.id, now, variables, ...seed };
  const answer = ask(run, 'feel', question);
  if ('error' in answer) throw failed(at, text, answer.error.message);
  return answer.value as FeelOutcome;
}

/** A refusal of the expression's gets its element; anything else is a bug. */
function attempt<T>(at: At, text: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw thrown instanceof ServiceError ? failed(at, text, feelFailure(thrown)) : thrown;
  }
}

const failed = ({ place }: At, text: string, cause: unknown) =>
  executionFailed(place, { expected: `to evaluate '${text}'`, expression: text, cause });

/** The names that an expression may mention are those that are seen: some have spaces and signs in them. */
function compiled(run: Run, at: At, text: string): FeelExpression {
  if (!mayNeedShape(text)) return compileFeel(text);
  return compileFeel(text, 'expression', shapeOf(valuesOf(visible(run, at.scope), text), text));
}

/** Of those that the text may mention: others, which may be large, are not looked at. */
const valuesOf = (variables: Variables, text: string) =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, variable]) =>
      mayBeMentioned(name, text) ? [[name, variable.value]] : [],
    ),
  );

/** Answers {@link FeelQuestion}. @throws EXECUTION_FAILED */
export function answerFeel(question: FeelQuestion): FeelOutcome {
  const { text, variables } = question;
  const shape = mayNeedShape(text) ? shapeOf(valuesOf(variables, text), text) : {};
  return outcomeOf(compileFeel(text, 'expression', shape), question);
}

function outcomeOf(
  expression: FeelExpression,
  { now, variables, seed }: Pick<FeelQuestion, 'now' | 'variables' | 'seed'>,
): FeelOutcome {
  const chance = chanceOf(seed, now);
  const { value, cause } = expression.evaluate({ now, chance, variable: (name) => feelOf(variables[name]) });
  if (weigh(value, RESULT_WEIGHT_MAX) < RESULT_WEIGHT_MAX) return { value: typed(fromFeel(value)), cause };
  throw new ServiceError('EXECUTION_FAILED', `expected a result of fewer than ${RESULT_WEIGHT_MAX} values`);
}

/** Source of `uuid()` and `random number()`: the same for the same seed. */
export const chanceOf = (seed: string | undefined, now: number): IdSource | undefined =>
  seed === undefined ? undefined : idSource(seedOf(seed), now);

/** A variable as FEEL has it. */
export const feelOf = (variable: TypedValue | undefined): FeelValue | undefined =>
  variable === undefined ? undefined : toFeel(native(variable));

/** Why an expression failed. */
export function feelFailure(thrown: unknown): string {
  const { cause } = ((thrown instanceof ServiceError ? thrown.info.details : undefined) ?? {}) as { cause?: unknown };
  return typeof cause === 'string' ? cause : messageOf(thrown);
}
