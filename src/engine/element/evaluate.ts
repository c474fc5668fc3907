import { ServiceError } from '../../shared/errors.js';
import { executionFailed } from './failure.js';
import type { TaskFacts, Token, TypedValue } from './instance-state.js';
import type { Place } from './prepared.js';
import type { Run } from './run.js';
import { Surroundings } from './surroundings.js';

/** Where something is evaluated. */
export interface At {
  readonly token: Token;
  /** Whose expression it is. */
  readonly place: Place;
  /** The scope from which variables are seen. */
  readonly scope: number;
  /** The task that `task` means, where there is one. */
  readonly task?: TaskDraft;
  /** What happens: `start`, `end`, `create` … in a listener. */
  readonly event?: string;
  /** The id of the sequence flow that is taken, in its listener. */
  readonly flow?: string;
}

/** A task while its listeners run; they may change it. */
export interface TaskDraft {
  readonly id: string;
  facts: TaskFacts;
  changed: boolean;
  /** Of a task that is being made, as the model says it now. */
  formKey(): string | null;
}

/** Within the token's activity. */
export const at = (run: Run, token: Token, place: Place): At => ({ token, place, scope: run.innermost(token) });

/** The value of a text that may hold `${…}`. @throws EXECUTION_FAILED */
export function evaluate(run: Run, where: At, text: string): unknown {
  try {
    return run.prepared.expression(text).evaluate(new Surroundings(run, where));
  } catch (thrown) {
    throw failed(where, text, thrown);
  }
}

/** As {@link evaluate}, with the type that a variable gets of it. @throws EXECUTION_FAILED */
export function evaluateTyped(run: Run, where: At, text: string): TypedValue {
  try {
    return run.prepared.expression(text).evaluateTyped(new Surroundings(run, where));
  } catch (thrown) {
    throw failed(where, text, thrown);
  }
}

/** A refusal of the expression's gets its element; anything else is a bug. */
function failed(where: At, text: string, thrown: unknown): unknown {
  if (!(thrown instanceof ServiceError)) return thrown;
  const { details } = thrown.info;
  const told = typeof details === 'object' && details !== null && 'cause' in details ? details.cause : undefined;
  const cause = typeof told === 'string' ? told : thrown.message;
  return executionFailed(where.place, { expected: `to evaluate '${text}'`, expression: text, cause });
}
