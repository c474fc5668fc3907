import { scopesAround } from '../model/elements.js';
import { dropAll, interrupt } from './activity.js';
import { holderOf, lives } from './begin-within.js';
import type { Modifying, Scope, Token } from './instance-state.js';
import { asSeenBefore, divide, isAbandoned, noteTaken, type Part, rootOf } from './large-scope.js';
import { complete, endCancelled, endInstance, wake } from './leave.js';
import { endLoop } from './loop.js';
import { forgetInstance } from './loop-change.js';
import type { Cancellation, Move } from './move.js';
import type { Run } from './run.js';

// What is cancelled of an instance from outside. Of so much that it cannot be brought back at once, what rests in large scopes takes it when it is brought back,
// as the first thing of that run, or by a job.

/** The token goes, and with the last one in it whatever holds it: nothing would ever end that. */
export function remove(run: Run, token: Token, reason = ''): void {
  const top = topOf(run, token);
  const { scope, compensates } = top;
  takeOut(run, top);
  forgetInstance(run, scope);
  delete run.find(scope)?.through;
  if (compensates !== undefined) wake(run, compensates);
  noteLeft(run, 'cancelled', reason);
}

/** All that happens at an element is cancelled; at 0 all that is in the process. `until`: of that what has a lower number. */
export function removeAll(run: Run, element: number, until = Number.POSITIVE_INFINITY): void {
  const { modifying } = run.state;
  const isMeant = ({ id, activity }: Token) => (activity ?? id) < until;
  if (modifying?.here !== undefined) removeByAndBy(run, element, { ...modifying, here: modifying.here }, isMeant);
  else removeHere(run, element, isMeant);
}

function removeHere(run: Run, element: number, isMeant: (token: Token) => boolean): void {
  if (element === 0) {
    dropAll(run, run.within(0).filter(isMeant));
    noteLeft(run, 'cancelled', '');
    return;
  }
  for (const token of tokensAt(run, run.state.tokens, element).filter(isMeant))
    if (run.state.tokens.includes(token)) remove(run, token);
}

/** The tokens at an element. Of one that repeats what holds its instances: with the last of them that would go, too. */
const tokensAt = (run: Run, tokens: readonly Token[], element: number): Token[] =>
  tokens.filter((token) => token.element === element && !run.placeOf(token).isInstance && lives(run, token.scope));

/** What rests is left to itself, but for what was brought back for the instructions to come. */
function removeByAndBy(
  run: Run,
  element: number,
  { here, reason, skipListeners, skipMappings }: Modifying & { readonly here: readonly number[] },
  isMeant: (token: Token) => boolean,
): void {
  const move: Move & Cancellation = {
    n: run.number(),
    to: run.context.definitionId,
    cancels: element,
    ...(run.rules >= 8 && { within: elementsIn(run, element) }),
    reason,
    ...(skipListeners && { silent: true }),
    ...(skipMappings && { unmapped: true }),
  };
  const { parts } = divide(run.state);
  const resting = new Set(parts.flatMap(({ tokens }) => tokens));
  removeHere(run, element, (token) => !resting.has(token) && isMeant(token));
  for (const part of parts) {
    const root = rootOf(part);
    // What has begun by this modification has been here from the beginning.
    if (root === undefined || (isMeant(root) && !here.includes(root.id))) continue;
    if (!isAbandoned(run.state, part.within)) removeResting(run, run, part, move, isMeant);
    root.moved = move.n;
  }
  const left = run.state.tokens.filter((token) => !resting.has(token));
  if (run.rules >= 8) noteTaken(run.state, move, left);
  run.state.moves = [...(run.state.moves ?? []), move];
  run.effects.push({ type: 'defer', until: move.n });
}

/** The element with all that is in it. */
const elementsIn = ({ program }: Run, element: number): number[] =>
  program.elements.flatMap((_, at) => (at === element || scopesAround(program, at).includes(element) ? [at] : []));

/** Cancels a part that rests. `by`: of the program that it is of, while whatever is around it may be of another one already. `isMeant`: of it these alone. */
export function removeResting(
  run: Run,
  by: Run,
  part: Part,
  move: Move & Cancellation,
  isMeant: (token: Token) => boolean = () => true,
): void {
  const root = rootOf(part);
  if (root === undefined) return;
  const { scope, compensates } = root;
  const inside = new Set(part.tokens);
  const before = { silent: by.silent, unmapped: by.unmapped };
  Object.assign(by, { silent: move.silent === true, unmapped: move.unmapped === true });
  const asNow = asSeenBefore(run.state, move.n);
  for (const token of meant(by, part, root, move)) {
    if (!isMeant(token) || !by.state.tokens.includes(token)) continue;
    const top = topOf(by, token, inside);
    takeOut(by, top);
    if (top === root) continue;
    forgetInstance(by, top.scope);
    if (top.compensates !== undefined) wake(by, top.compensates);
  }
  asNow();
  Object.assign(by, before);
  if (by !== run) run.moving.push(...by.moving.splice(0));
  if (run.state.tokens.includes(root)) return;
  if (compensates !== undefined) wake(run, compensates);
  passOn(run, scope, move);
}

function meant(by: Run, { tokens }: Part, root: Token, { cancels }: Cancellation): Token[] {
  if (cancels > 0) return tokensAt(by, tokens, cancels);
  return root.scope === 0 ? [root] : [];
}

/** One that rested has gone from the scope. */
function passOn(run: Run, id: number, { n, reason }: Move & Cancellation): void {
  forgetInstance(run, id);
  const scope = run.scope(id);
  scope.lost = Math.max(scope.lost ?? 0, n);
  leaveEmpty(run, scope, reason);
}

/** With the last one that rested whatever holds it goes, or goes on, if others have come through since anything was cancelled in it. */
export function leaveEmpty(run: Run, scope: Scope, reason: string): void {
  const { id, through = 0, lost = 1 } = scope;
  if (!run.isEmpty(id)) return;
  const isThrough = through >= lost;
  const owner = run.owner(id);
  if (owner === undefined) return noteLeft(run, isThrough ? 'completed' : 'cancelled', reason);
  if (owner.wait?.kind !== 'scope') return;
  if (!isThrough) return run.rules < 8 ? remove(run, owner, reason) : giveUp(run, owner, { lost, reason });
  if (scope.repeats !== undefined) return endLoop(run, owner, run.placeOf(owner));
  owner.wait = undefined;
  complete(run, owner, run.placeOf(owner));
}

/** It goes with what was cancelled in it, and what is around it then, if nothing else is in that, or goes on. */
function giveUp(run: Run, owner: Token, { lost, reason }: { readonly lost: number; readonly reason: string }): void {
  const { scope, compensates } = owner;
  const around = run.scope(scope);
  takeOut(run, owner);
  forgetInstance(run, scope);
  if (compensates !== undefined) wake(run, compensates);
  around.lost = Math.max(around.lost ?? 0, lost);
  leaveEmpty(run, around, reason);
}

/** The outermost one that goes with the token. `inside`: of these. Default: any. */
function topOf(run: Run, token: Token, inside?: ReadonlySet<Token>): Token {
  const owner = holderOf(run, token);
  return owner === undefined || inside?.has(owner) === false ? token : topOf(run, owner, inside);
}

function takeOut(run: Run, token: Token): void {
  interrupt(run, token);
  run.drop(token);
}

/** Nothing may be left in the process: a modification that is under way may still begin something in it. */
function noteLeft(run: Run, over: 'completed' | 'cancelled', reason: string): void {
  if (!run.isEmpty(0)) return;
  if (run.state.modifying === undefined) run.emptied = { over, reason };
  else run.state.modifying.over = over;
}

/** The process ends, if what rested has left nothing in it, and nothing has begun since. */
export function endEmptied(run: Run): void {
  const { emptied, state } = run;
  if (emptied === null || !run.isEmpty(0)) return;
  if (state.modifying !== undefined) state.modifying.over = emptied.over;
  else if (emptied.over === 'completed') endInstance(run, run.root);
  else endCancelled(run, emptied.reason);
}
