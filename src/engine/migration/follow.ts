import { removeResting } from '../element/cancel-activity.js';
import type { HistoryEntry, Scope, Token } from '../element/instance-state.js';
import { divide, isAbandoned, missed, type Part, pathsIn, rootOf } from '../element/large-scope.js';
import { type FollowInput, isCancellation, type Led, ledBy, type Move, whereLed } from '../element/move.js';
import type { Run } from '../element/run.js';
import { endLeading } from './lead-resting.js';
import { putInto } from './moving.js';
import { beside, take, takeOver } from './take.js';

// What rests in large scopes may be away. It takes a migration or a cancellation only when it is brought back.

/** The tokens that were brought back take what they have not taken yet. `silent`: no listener is told of what is cancelled. */
export function follow(run: Run, roots: readonly number[], silent: boolean): void {
  const { parts } = divide(run.state);
  const others = new Set(parts.flatMap((part) => rootOf(part) ?? []));
  for (const part of parts) {
    const root = rootOf(part);
    if (root !== undefined && roots.includes(root.id)) followOne(run, part, root, { silent, others });
  }
}

interface Following {
  readonly silent: boolean;
  /** What rests by itself, though it may be within what follows. */
  readonly others: ReadonlySet<Token>;
}

function followOne(run: Run, part: Part, root: Token, how: Following): void {
  const [move, ...later] = missed(run.state, root);
  if (move === undefined) return;
  const { next } = run.state;
  if (isLeft(run, part, [move, ...later])) forgetPlaces(run, part, move);
  else takeBetween(run, part, how.silent && isCancellation(move) ? { ...move, silent: true } : move);
  for (const token of outermostOf(run, part, next)) {
    token.moved = move.n;
    followOne(run, partOf(run, token, how), token, how);
  }
}

/** Whether it was left where it is, or where the moves lead all of it. */
function isLeft({ state }: Run, { within, tokens }: Part, moves: readonly Move[]): boolean {
  if (isAbandoned(state, within)) return true;
  const [scope, root] = within.at(-1) ?? [0, 0];
  const innermost = tokens.filter(({ opens }) => !tokens.some((token) => token.scope === opens));
  return innermost.every(({ element }) => isAbandoned(state, [[whereLed(scope, element, moves)[0], root]]));
}

/** Of what rested together what is in nothing else of it now. `next`: the first number of what has come around it since. */
function outermostOf(run: Run, { tokens }: Part, next: number): Set<Token> {
  const isInside = (token: Token) => token.id >= next || tokens.includes(token);
  const found = new Set<Token>();
  for (const token of tokens) {
    if (!run.state.tokens.includes(token)) continue;
    let top = token;
    for (let at = run.owner(top.scope); at !== undefined && isInside(at); at = run.owner(at.scope)) top = at;
    found.add(top);
  }
  return found;
}

/** The token with what happens in it. */
function partOf(run: Run, root: Token, { others }: Following): Part {
  const tokens = [root];
  const scopes = run.state.scopes.filter(({ id }) => id === root.opens);
  for (const scope of scopes) {
    scopes.push(...run.state.scopes.filter(({ parent }) => parent === scope.id));
    tokens.push(...run.within(scope.id).filter((token) => !others.has(token)));
  }
  return { within: pathsIn(run.state)(root.id) ?? [[root.scope, root.id]], tokens, scopes };
}

/** By the program to which that migration led, or of which it was cancelled; it may not be the last one. */
function takeBetween(run: Run, part: Part, move: Move): void {
  const isLast = move.to === run.context.definitionId;
  const by = isLast ? run : beside(run, move.to);
  if (isCancellation(move)) removeResting(run, by, { ...part, ...present(run, part) }, move);
  else take(by, move, present(run, part));
  if (isLast) return;
  const later = (run.state.moves ?? []).filter(({ n }) => n > move.n);
  by.history.push(...by.history.splice(0).flatMap((entry) => asLaterWritten(entry, later)));
  takeOver(run, by);
  if (run.rules >= 7) run.changed.push(...by.changed);
}

/** The history of a run is by its own program, to which other migrations may lead: what goes on where these do not lead on has been told of before. */
function asLaterWritten(entry: HistoryEntry, moves: readonly Move[]): HistoryEntry[] {
  if (entry[0] === 1 || entry[0] === 2) return [entry];
  let at = entry[2];
  for (const move of moves) if (!isCancellation(move)) at = move.elements[at] ?? -1;
  if (at < 0) return entry[0] === 6 ? [] : [entry];
  return [entry.with(2, at) as unknown as HistoryEntry];
}

const present = ({ state }: Run, { tokens, scopes }: Part) => ({
  tokens: tokens.filter((token) => state.tokens.includes(token)),
  scopes: scopes.filter((scope) => state.scopes.includes(scope)),
});

/** What was left behind is only to be cleared away: it needs a place, and no more. */
function forgetPlaces(run: Run, part: Part, move: Move): void {
  if (isCancellation(move)) return;
  if (!isAbandoned(run.state, part.within)) goWhole(run, part, move);
  for (const each of [...part.tokens, ...part.scopes]) each.element = Math.max(0, move.elements[each.element] ?? 0);
}

/** It goes to where the move leads any of it. */
function goWhole(run: Run, part: Part, move: Move): void {
  const root = rootOf(part);
  const isMeant = ({ scope, elements }: Led) =>
    scope === root?.scope && part.tokens.some(({ element }) => elements.includes(element));
  const to = run.find(ledBy(move).find(isMeant)?.to ?? -1);
  if (root !== undefined && to !== undefined) putInto(run, root, to);
}

/** All have taken the migrations up to that number. */
export function endFollowing(run: Run, { until }: FollowInput): void {
  if (until === undefined) return;
  const left = (run.state.moves ?? []).filter(({ n }) => n > until);
  // Of what rests another one is forgotten when it migrates again.
  for (const scope of divide(run.state).here.scopes) forgetFormer(scope, until);
  const ended = (run.state.moves ?? []).filter(({ n }) => n <= until);
  run.state.moves = left.length === 0 ? undefined : left;
  endLeading(run, ended);
}

function forgetFormer(scope: Scope, until: number): void {
  if (scope.was === undefined) return;
  const left = scope.was.filter(([n]) => n > until);
  if (left.length > 0) scope.was = left;
  else delete scope.was;
}
