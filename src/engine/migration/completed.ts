import type { Compensated, Done, Scope, Token } from '../element/instance-state.js';
import { declared, type Run } from '../element/run.js';
import { elementAt, scopesAround } from '../model/elements.js';
import type { Mapping } from './mapping.js';

type Ways = Omit<Mapping, 'instructions'>;

/** Where what has completed is compensated: at the activity that its compensation event goes to, else at its own; -1: nowhere. */
export function goalOf({ source, target, elements }: Ways, element: number): number {
  const event = elementAt(source, element).boundaries.find((at) => elementAt(source, at).event?.kind === 'compensate');
  const to = event === undefined ? -1 : (elements[event] ?? -1);
  return (to < 0 ? elements[element] : elementAt(target, to).attachedTo) ?? -1;
}

/**
 * What has completed in the scope can be compensated in it as before, as far as there is something to do for it: of scopes that have completed and are
 * taken away only what is in them is left, those that are added around it count as completed. By the new program; the scope has its former place still.
 */
export function keepCompleted(run: Run, ways: Ways, scope: Scope): void {
  const left = (scope.done ?? []).flatMap((done) => leftOf(run, ways, done));
  const within = { id: scope.id, element: placeOf(ways, (id) => run.find(id), scope) };
  scope.done = left.length === 0 ? undefined : placed(run, left, within);
}

/** Likewise of what the token is still to compensate, which stays where it is. */
export function keepCompensated(run: Run, ways: Ways, token: Token): void {
  token.compensation = token.compensation?.flatMap((each): Compensated[] => {
    const element = goalOf(ways, each.element);
    if (isCompensated(run, element, each)) return [{ ...each, element }];
    run.forgetDone([each]);
    return [];
  });
}

/** Whether it has left something behind that can be compensated, or has a handler there. */
const isCompensated = (run: Run, element: number, { scope, called, bundle }: Done): boolean =>
  element >= 0 &&
  ([scope, called, bundle].some((each) => each !== undefined) ||
    elementAt(run.program, element).compensation !== undefined);

function leftOf(run: Run, ways: Ways, done: Done): Done[] {
  const { scope } = done;
  const element = goalOf(ways, done.element);
  if (isCompensated(run, element, done)) return [{ ...done, element }];
  if (scope === undefined) {
    run.forgetDone([done]);
    return [];
  }
  const gone = run.scope(scope);
  const inner = (gone.done ?? []).flatMap((done) => leftOf(run, ways, done));
  gone.done = undefined;
  run.forget(gone);
  return inner;
}

/** The element that the scope is of afterwards, or the one around it that stays. */
export function placeOf(ways: Ways, scopes: (id: number) => Scope | undefined, scope: Scope): number {
  const to = scope.kept ? goalOf(ways, scope.element) : (ways.elements[scope.element] ?? -1);
  const around = scope.parent === null ? undefined : scopes(scope.parent);
  return to >= 0 || around === undefined ? Math.max(0, to) : placeOf(ways, scopes, around);
}

/** In the order in which they have completed; those that follow each other in a scope that is added are in it together. */
function placed(run: Run, all: readonly Done[], within: { readonly id: number; readonly element: number }): Done[] {
  const groups: { readonly added: number | undefined; readonly done: Done[] }[] = [];
  for (const done of all) {
    const around = scopesAround(run.program, done.element);
    const added = around[around.indexOf(within.element) - 1];
    const last = groups.at(-1);
    if (added !== undefined && last?.added === added) last.done.push(done);
    else groups.push({ added, done: [done] });
  }
  return groups.flatMap(({ added, done }) => {
    if (added !== undefined) return completed(run, done, { id: within.id, element: added });
    for (const { scope } of done) if (scope !== undefined) run.scope(scope).parent = within.id;
    return done;
  });
}

/** A scope that nobody has been in, and that holds these as if it had completed with them. */
function completed(
  run: Run,
  all: readonly Done[],
  { id: parent, element }: { readonly id: number; readonly element: number },
): Done {
  const id = run.number();
  const variables = declared(run.place(element).element.data ?? []);
  run.state.scopes.push({ id, parent, element, variables, kept: true, done: placed(run, all, { id, element }) });
  return { element, scope: id };
}
