import { executionFailed } from './failure.js';
import type { TaskFacts, Token } from './instance-state.js';
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
}

/** A task while its listeners run; they may change it. */
export interface TaskDraft {
  readonly id: string;
  facts: TaskFacts;
  changed: boolean;
}

/** Within the token's activity. */
export const at = (run: Run, token: Token, place: Place): At => ({ token, place, scope: run.innermost(token) });

/** The value of a text that may hold `${…}`. @throws EXECUTION_FAILED */
export function evaluate(run: Run, where: At, text: string): unknown {
  try {
    const expression = run.prepared.expression(text);
    return expression.literal ? text : expression.evaluate(new Surroundings(run, where));
  } catch (cause) {
    throw executionFailed(where.place, { expected: `to evaluate '${text}'`, expression: text, cause });
  }
}
