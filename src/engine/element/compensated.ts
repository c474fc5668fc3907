import type { Done, InstanceState, LeftBehind, Scope, Token } from './instance-state.js';
import type { Place } from './prepared.js';
import type { Run } from './run.js';

// BPMN 2.0 §10.7: what completes is remembered for its compensation, with the data that it has then.

/** The activity completes. If it can be compensated its scope keeps that, and its own scope stays as it is. */
export function remember(run: Run, token: Token, place: Place): void {
  if (token.compensates !== undefined) return;
  const own = token.opens === undefined ? undefined : run.scope(token.opens);
  if (place.instance !== null) liftDone(run, token, own);
  else rememberOne(run, token, place, own);
}

function rememberOne(run: Run, token: Token, { index, element, inside }: Place, own: Scope | undefined): void {
  if (element.compensation !== undefined || inside.undoing !== null || own?.done !== undefined) {
    if (own !== undefined) own.kept = true;
    addDone(run, token, [{ element: index, ...(own !== undefined && { scope: own.id }) }]);
  } else if (run.undoable !== null && run.undoable.activity === token.activity) {
    // The called instance keeps by itself what its compensation needs.
    addDone(run, token, [{ element: index, called: run.undoable.called }]);
  }
}

/** The instances of a loop are compensated, each by itself. */
function liftDone(run: Run, token: Token, body: Scope | undefined): void {
  if (body?.done === undefined) return;
  addDone(run, token, body.done);
  body.done = undefined;
}

function addDone(run: Run, token: Token, done: readonly Done[]): void {
  const scope = run.scope(token.scope);
  scope.done = [...(scope.done ?? []), ...done];
}

/** A compensation handler begins: it sees the variables that its activity had when it completed. */
export function recall(run: Run, token: Token, scope: number): void {
  token.recalls = undefined;
  if (token.opens === undefined && token.activity !== null) run.open(token, token.activity);
  const kept = run.scope(scope);
  Object.assign(run.scope(run.innermost(token)).variables, kept.variables);
  run.forget(kept);
}

/** What the token was still to compensate is not compensated any more. */
export function forgetCompensation(run: Run, token: Token): void {
  for (const { scope } of token.compensation ?? []) if (scope !== undefined) run.forget(run.scope(scope));
  token.compensation = undefined;
}

/** What is done to compensate, for which the token waits. */
export const compensatingFor = (run: Run, { id }: Token): Token[] =>
  run.state.tokens.filter(({ compensates }) => compensates === id);

/** What an instance that has completed has left behind, as it was then. */
export function leftBehind({ next, scopes }: InstanceState): LeftBehind {
  const found = new Map(scopes.map((scope) => [scope.id, scope]));
  const kept = (id: number): Scope[] => {
    const scope = found.get(id);
    if (scope === undefined) return [];
    const { parent, element, variables, done } = scope;
    const own: Scope = { id, parent, element, variables, ...(done && { done }), ...(id > 0 && { kept: true }) };
    return [own, ...(done ?? []).flatMap((each) => (each.scope === undefined ? [] : kept(each.scope)))];
  };
  return { next, scopes: kept(0) };
}
