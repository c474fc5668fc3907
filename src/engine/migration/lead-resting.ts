import { leaveEmpty } from '../element/cancel-activity.js';
import type { Scope, Token } from '../element/instance-state.js';
import { isAwaited, largeScopes, mayBeAway } from '../element/large-scope.js';
import { type Led, ledBy, type MigrateInput, type Move } from '../element/move.js';
import type { Run } from '../element/run.js';
import { scopesAround } from '../model/elements.js';
import { type Added, scopeFor } from './add-scopes.js';
import type { Mapping } from './mapping.js';
import { type Moving, putInto } from './moving.js';

// What rests in a large scope gets another scope around it by a note in the migration, and goes there as it takes that. The scope that it goes to is there at once, and is not empty
// until all have come; the one that it leaves stays as a husk, if it is taken away.

/** A large scope by the former program. */
export interface LargeScope {
  readonly element: number;
  /** Whether it holds the instances of a loop. */
  readonly isBody: boolean;
}

/** The outermost of what is in the large scope around the leaf that goes somewhere, and what is in that, down to the leaf. */
export function stayingIn(
  { source, elements }: Pick<Mapping, 'source' | 'elements'>,
  { element, isBody }: LargeScope,
  leaf: number,
): number[] {
  const chain = [leaf, ...scopesAround(source, leaf)];
  // The instances of a loop are at its own element.
  const inside = chain.slice(0, chain.indexOf(element) + (isBody ? 1 : 0)).reverse();
  const outermost = inside.findIndex((each) => (elements[each] ?? -1) >= 0);
  return outermost < 0 ? [] : inside.slice(outermost);
}

/** Where the migration leads what rests. Scopes begin for that; `added` are those that have begun already. */
export function leadResting(moving: Moving, added: Added, resting: NonNullable<MigrateInput['resting']>): Led[] {
  const { run } = moving;
  const led = new Map<string, Led & { elements: number[] }>();
  for (const [id, leaves] of Object.entries(resting)) {
    const scope = run.find(Number(id));
    if (scope === undefined || scope.abandoned !== undefined) continue;
    for (const leaf of leaves) {
      const [to, elements] = wayOf(moving, added, scope, leaf);
      if (to === scope.id) continue;
      const key = `${id} ${to}`;
      const found = led.get(key) ?? { scope: scope.id, elements: [], to };
      led.set(key, { ...found, elements: [...new Set([...found.elements, ...elements])] });
      receiveInto(run, run.scope(to), scope);
    }
  }
  return [...led.values()];
}

/** The scope to which what is around the leaf goes out of the large one, and what that is. */
function wayOf(
  { run, former, move }: Moving,
  added: Added,
  scope: Scope,
  leaf: number,
): readonly [number, readonly number[]] {
  const before = { element: scope.was?.at(-1)?.[1] ?? 0, isBody: scope.repeats !== undefined };
  const elements = stayingIn({ source: former.program, elements: move.elements }, before, leaf);
  const [outermost = leaf] = elements;
  let around = scope;
  while (around.husk && around.parent !== null) around = run.scope(around.parent);
  return [scopeFor(run, added, { element: move.elements[outermost] ?? 0, scope: around.id }), elements];
}

/** What rests elsewhere is to come into the scope, which is large from now on; what is in it stays. */
function receiveInto(run: Run, scope: Scope, { from = 0 }: Scope): void {
  const within = run.within(scope.id);
  const isHere = (token: Token) => scope.size === undefined || !mayBeAway(scope, token);
  for (const token of within) if (isHere(token)) token.stays = true;
  scope.from = scope.size === undefined ? from : Math.min(scope.from ?? 0, from);
  scope.size ??= within.length;
  run.isLarge = true;
}

/** What rested is in the scope to which the move has led it. */
export function goWhereLed(run: Run, move: Move, tokens: readonly Token[]): void {
  const led = ledBy(move);
  if (led.length === 0) return;
  for (const token of tokens) {
    const way = led.find(({ scope, elements }) => scope === token.scope && elements.includes(token.element));
    const to = way && run.find(way.to);
    if (to !== undefined && run.state.tokens.includes(token)) putInto(run, token, to);
  }
}

/** All have taken the moves: what they were led out of, or to, goes on, if nothing is left in it. Inner scopes first. */
export function endLeading(run: Run, moves: readonly Move[]): void {
  const ids = new Set(moves.flatMap(ledBy).flatMap(({ scope, to }) => [scope, to]));
  const depths = new Map([...ids].map((id) => [id, depthOf(run, id)]));
  for (const id of [...ids].sort((a, b) => (depths.get(b) ?? 0) - (depths.get(a) ?? 0) || a - b)) {
    const scope = largeScopes(run.state)?.get(id);
    if (scope !== undefined) goOnWithout(run, scope);
  }
}

function goOnWithout(run: Run, scope: Scope): void {
  const { id, size, abandoned, husk } = scope;
  if (size === 0 && !isAwaited(run.state, id) && (husk || abandoned !== undefined)) {
    if (abandoned === undefined) run.forget(scope);
    else run.vacate(scope);
  } else if (abandoned !== undefined) run.effects.push({ type: 'abandon', scope: id });
  else if (!husk) leaveEmpty(run, scope, '');
}

/** Depth of a scope: how many scopes are around. */
export function depthOf(run: Run, id: number): number {
  let depth = 0;
  for (let at = run.find(id); at !== undefined && at.parent !== null; at = run.find(at.parent)) depth++;
  return depth;
}
