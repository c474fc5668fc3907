import type { Compensated, Done, InstanceState, LeftBehind, Scope, Token } from './instance-state.js';
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
  if (run.rules >= 8) for (const { scope } of body.done) if (scope !== undefined) run.scope(scope).parent = token.scope;
  addDone(run, token, body.done);
  body.done = undefined;
}

function addDone(run: Run, token: Token, done: readonly Done[]): void {
  const scope = run.scope(token.scope);
  scope.done = [...(scope.done ?? []), ...done];
  bundleUp(run, scope);
}

/** So many of what has completed last stay in their scope. */
const NEWEST = 10;
/** So many others, at least, are put into a bundle. */
const BUNDLED_FROM = 20;

/** Puts what completed before the last ones in the scope into a bundle, where that is much of one activity. */
function bundleUp(run: Run, scope: Scope): void {
  const { done = [] } = scope;
  if (done.length < NEWEST + BUNDLED_FROM || run.rules < 8) return;
  const first = done.findLastIndex((each) => !isAlike(run, each, done.at(-1))) + 1;
  const older = done.slice(first, -NEWEST);
  if (older.filter(({ bundle }) => bundle === undefined).length < BUNDLED_FROM) return;
  const [{ element } = { element: 0 }] = older;
  const id = run.number();
  const bundle: Scope = { id, parent: scope.id, element, variables: {}, kept: true, isBundle: true, done: older };
  run.state.scopes.push(bundle);
  scope.done = [...done.slice(0, first), { element, bundle: id }, ...done.slice(-NEWEST)];
}

/** Whether both are of one activity, and nothing has completed within. */
const isAlike = (run: Run, { element, scope }: Done, last: Done | undefined): boolean =>
  element === last?.element && (scope === undefined || run.scope(scope).done === undefined);

/** What is in the bundle takes its place among what is to be compensated: at the element, and in the scope, where the bundle has come to be. */
export function opened(run: Run, { bundle: id = 0, element, within }: Compensated): Compensated[] {
  const { compensation } = run.place(element).element;
  const { done = [] } = run.scope(id);
  run.state.scopes.splice(run.state.scopes.indexOf(run.scope(id)), 1);
  for (const { scope } of done) if (scope !== undefined) Object.assign(run.scope(scope), { element, parent: within });
  const canBeUndone = ({ scope, called, bundle }: Done): boolean =>
    compensation !== undefined || scope !== undefined || called !== undefined || bundle !== undefined;
  return done.filter(canBeUndone).map((each) => ({ ...each, element, within }));
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
  run.forgetDone(token.compensation);
  token.compensation = undefined;
}

/** Tokens that compensate for the given one, which waits for them. */
export const compensatingFor = (run: Run, { id }: Token): Token[] =>
  run.state.tokens.filter(({ compensates }) => compensates === id);

/** Remains of an instance that has completed, for its compensation, as they were then. All of its bundles are there. */
export function leftBehind({ next, scopes }: InstanceState): LeftBehind {
  const found = new Map(scopes.map((scope) => [scope.id, scope]));
  const kept = (id: number): Scope[] => {
    const scope = found.get(id);
    if (scope === undefined) return [];
    const { parent, element, variables, done, isBundle } = scope;
    const own: Scope = { id, parent, element, variables, ...(done && { done }), ...(id > 0 && { kept: true }) };
    const inside = (done ?? []).flatMap((each) => kept(each.bundle ?? each.scope ?? -1));
    return [isBundle ? { ...own, isBundle } : own, ...inside];
  };
  return { next, scopes: kept(0) };
}
