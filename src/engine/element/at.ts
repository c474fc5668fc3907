import type { TaskFacts, Token } from './instance-state.js';
import type { Place } from './prepared.js';
import type { Run } from './run.js';

/** Where something is evaluated. */
export interface At {
  readonly token: Token;
  /** Whose expression it is. */
  readonly place: Place;
  /** The scope from which variables are seen. */
  readonly scope: number;
  /** The task that `task` means, where there is one. */
  readonly task?: TaskDraft;
  /** Event that is told of: `start`, `end`, `create` … in a listener. */
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
