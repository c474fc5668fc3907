import { bundlesApart } from '../element/bundle.js';
import { removeResting } from '../element/cancel-activity.js';
import { activate, waitingGateways } from '../element/complex-gateway.js';
import type { InstanceState, Token } from '../element/instance-state.js';
import { divide, isAbandoned, missed, type Part, rootOf } from '../element/large-scope.js';
import { type FollowInput, isCancellation, type MigrateInput, type Migration, type Move } from '../element/move.js';
import { Run } from '../element/run.js';
import { assignAll } from '../element/variables.js';
import { addScopes } from './add-scopes.js';
import type { Moving } from './moving.js';
import { relabel } from './relabel.js';
import { removeScopes } from './remove-scopes.js';
import { rewire } from './rewire.js';

// What rests in large scopes may be away. It takes a migration only when it is brought back (`followed`), so until then a run must not see it, even if it
// is there, as it is when runs are replayed.

/** The instance goes on by the program of the run. It was looked at before whether it can. */
export function migrate(run: Run, { type: _, variables, ...migration }: MigrateInput): void {
  const move: Move & Migration = { ...migration, n: run.number(), to: run.context.definitionId };
  assignAll(run, 0, variables);
  take(run, move, run.state);
  for (const { place, scope } of waitingGateways(run)) activate(run, place, scope);
  if (run.isLarge) run.state.moves = [...(run.state.moves ?? []), move];
}

function take(run: Run, move: Move & Migration, { tokens, scopes }: Pick<InstanceState, 'tokens' | 'scopes'>): void {
  const former = beside(run, move.from);
  // What is in a bundle takes its new place when that comes back.
  const { rest } = bundlesApart({ ...run.state, scopes: [...scopes] });
  const moving: Moving = { run, former, move, tokens: [...tokens], scopes: rest.scopes };
  for (const each of [former, run]) {
    each.silent = move.silent === true;
    each.unmapped = move.unmapped === true;
  }
  removeScopes(moving);
  takeOver(run, former);
  run.changed.push(...former.changed);
  relabel(moving);
  addScopes(moving);
  rewire(moving);
  run.silent = false;
  run.unmapped = false;
}

/** The run as it goes on by the program of another definition, on the same state. */
function beside({ context, state, answered, businessKey }: Run, definitionId: string): Run {
  const program = context.program?.(definitionId);
  if (program === undefined) throw new RangeError(`expected the program of '${definitionId}' to be known`);
  return Object.assign(new Run(program, state, context), { answered, businessKey });
}

/** What happened beside the run happened in it. */
function takeOver(run: Run, { effects, history, answered, businessKey }: Run): void {
  run.effects.push(...effects);
  run.history.push(...history);
  Object.assign(run, { answered, businessKey });
}

/** The tokens that were brought back take what they have not taken yet. `silent`: no listener is told of what is cancelled. */
export function follow(run: Run, roots: readonly number[], silent: boolean): void {
  for (const part of divide(run.state).parts) {
    const root = rootOf(part);
    if (root !== undefined && roots.includes(root.id)) followOne(run, part, root, silent);
  }
}

function followOne(run: Run, part: Part, root: Token, silent: boolean): void {
  for (const move of missed(run.state, root)) {
    const isLeft = isAbandoned(run.state, part.within) || !run.state.tokens.includes(root);
    if (!isLeft) takeBetween(run, part, silent && isCancellation(move) ? { ...move, silent } : move);
    else if (!isCancellation(move)) forgetPlaces(part, move);
    root.moved = move.n;
  }
}

/** By the program to which that migration led, or of which it was cancelled; it may not be the last one. */
function takeBetween(run: Run, part: Part, move: Move): void {
  const isLast = move.to === run.context.definitionId;
  const by = isLast ? run : beside(run, move.to);
  if (isCancellation(move)) removeResting(run, by, { ...part, ...present(run, part) }, move);
  else take(by, move, present(run, part));
  if (isLast) return;
  takeOver(run, by);
  if (run.rules >= 7) run.changed.push(...by.changed);
}

const present = ({ state }: Run, { tokens, scopes }: Part) => ({
  tokens: tokens.filter((token) => state.tokens.includes(token)),
  scopes: scopes.filter((scope) => state.scopes.includes(scope)),
});

/** What was left behind is only to be cleared away: it needs a place, and no more. */
function forgetPlaces({ tokens, scopes }: Part, { elements }: Migration): void {
  for (const each of [...tokens, ...scopes]) each.element = Math.max(0, elements[each.element] ?? 0);
}

/** All have taken the migrations up to that number. */
export function endFollowing(run: Run, { until }: FollowInput): void {
  if (until === undefined) return;
  const left = (run.state.moves ?? []).filter(({ n }) => n > until);
  run.state.moves = left.length === 0 ? undefined : left;
}

/** What a run sees of what rests in large scopes. */
export interface Seen {
  /** Only these tokens. Absent: all but those that have missed a move. */
  readonly here?: readonly number[];
  /** Those that were brought back, and have missed one: they take it first. */
  readonly followed: readonly number[];
}

/** Takes out of the state what the run must not see. */
export function putAside(state: InstanceState, { here, followed }: Seen): readonly Part[] {
  if (state.moves === undefined && here === undefined) return NONE;
  const { here: others, parts } = divide(state);
  const isAside = (part: Part): boolean => {
    const root = rootOf(part);
    if (root === undefined) return true;
    return here === undefined ? !followed.includes(root.id) && missed(state, root).length > 0 : !here.includes(root.id);
  };
  const aside = parts.filter(isAside);
  if (aside.length === 0) return NONE;
  const seen = parts.filter((part) => !aside.includes(part));
  state.tokens = inOrder([...others.tokens, ...seen.flatMap(({ tokens }) => tokens)]);
  state.scopes = [...others.scopes, ...seen.flatMap(({ scopes }) => scopes)];
  return aside;
}

const NONE: readonly Part[] = [];

/** Puts it back as it was. */
export function putBack(state: InstanceState, aside: readonly Part[]): void {
  if (aside.length === 0) return;
  state.tokens = inOrder([...state.tokens, ...aside.flatMap(({ tokens }) => tokens)]);
  state.scopes.push(...aside.flatMap(({ scopes }) => scopes));
}

const inOrder = (tokens: Token[]): Token[] => tokens.sort((a, b) => a.id - b.id);
