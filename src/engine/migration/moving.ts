import type { Scope, Token } from '../element/instance-state.js';
import type { Migrated } from '../element/move.js';
import type { Run } from '../element/run.js';

/** One migration while it happens, with both runs on the same state. */
export interface Moving {
  /** By the new program. */
  readonly run: Run;
  /** By the former one, on the same state. */
  readonly former: Run;
  readonly move: Migrated;
  /** What moves. */
  readonly tokens: readonly Token[];
  readonly scopes: readonly Scope[];
}

/** The token is in that scope from now on, with all that happens in it. */
export function putInto(run: Run, token: Token, scope: Scope): void {
  const before = run.find(token.scope);
  if (before?.size !== undefined) before.size--;
  if (scope.size !== undefined) scope.size++;
  token.scope = scope.id;
  if (token.opens !== undefined) run.scope(token.opens).parent = scope.id;
}
