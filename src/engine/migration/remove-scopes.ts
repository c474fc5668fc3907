import { interrupt } from '../element/activity.js';
import { bundlesApart } from '../element/bundle.js';
import type { Scope, Token } from '../element/instance-state.js';
import type { Run } from '../element/run.js';
import { isRemoved } from './check-instance.js';
import { depthOf } from './lead-resting.js';
import { type Moving, putInto } from './moving.js';

/**
 * Activities that do not migrate, but hold what does: they are left, their variables go, and what is in them is in the scope around from now on. By the
 * former program, inner ones first.
 */
export function removeScopes({ run, former, move, tokens }: Moving): void {
  const { state } = former;
  const ways = { source: former.program, target: run.program, elements: move.elements };
  const scopes = new Map(state.scopes.map((scope) => [scope.id, scope]));
  const removed = tokens.filter((token) => isRemoved(ways, scopes, token));
  const depths = new Map(removed.map((token) => [token, depthOf(former, token.scope)]));
  removed.sort((a, b) => (depths.get(b) ?? 0) - (depths.get(a) ?? 0) || a.id - b.id);
  for (const token of removed) {
    const scope = token.opens === undefined ? undefined : former.scope(token.opens);
    if (scope !== undefined) empty(former, token, scope);
    interrupt(former, token);
    former.drop(token);
    if (scope?.husk) scope.variables = {};
  }
}

/** Whatever is in the scope goes to the one around: what rests in a large one as it takes the migration. */
function empty(run: Run, token: Token, scope: Scope): void {
  const around = run.scope(token.scope);
  for (const each of run.within(scope.id)) putInto(run, each, around);
  for (const each of bundlesApart(run.state).rest.scopes) {
    if (each.parent === scope.id && each.id !== scope.repeats?.aside) each.parent = around.id;
  }
  if (scope.done !== undefined) around.done = [...(around.done ?? []), ...scope.done];
  scope.done = undefined;
  if ((scope.size ?? 0) > 0) scope.husk = true;
}
