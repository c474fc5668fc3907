import type { Condition, LeavingBehind, LeftBehind, Lookup, NewJob } from '../../store/documents.js';
import type { InstanceState, Scope, Token } from '../element/instance-state.js';
import { isAbandoned, missed, type Path } from '../element/large-scope.js';
import { isCancellation, ledBy, type Move, whereLed } from '../element/move.js';
import { instanceParts, partId } from './instance-parts.js';
import { type ProcessInstance, processInstances } from './running.js';

// What hangs on tokens in large scopes is gone when these were left or are to be cancelled, and is cleared away behind that.

/** Whether what has this path was left behind: it is there only until it is cleared away. */
const isLeft = (
  instance: { readonly state: Pick<InstanceState, 'scopes'>; readonly endTime: number | null },
  within: Path | undefined,
): boolean => within !== undefined && (instance.endTime !== null || isAbandoned(instance.state, within));

/** Of an instance what says what is left of it. */
type Living = Pick<ProcessInstance, 'id' | 'endTime'> & { readonly state: Pick<InstanceState, 'scopes' | 'moves'> };

/** Whether what a token waits for by this id is there only until it is cleared away: it was left behind, or its activity is to be cancelled. */
export const isGone = (
  state: Pick<Lookup, 'get'>,
  instance: Living,
  { id, within }: { readonly id: string; readonly within?: Path | undefined },
): boolean => within !== undefined && (isLeft(instance, within) || isToGo(state, instance, within, id));

/** Whether the activity, or one around it, is still to take a cancellation, or a migration that leads it to what was left. */
function isToGo(
  state: Pick<Lookup, 'get'>,
  { id, state: { scopes, moves = [] } }: Living,
  within: Path,
  waitId: string,
): boolean {
  if (!moves.some(isCancellation) && !isLeading(moves)) return false;
  return within.some(([, token], level) => {
    const part = state.get(instanceParts, partId(id, token));
    const root = part?.tokens.find((each) => each.id === token);
    if (part === undefined || root === undefined) return false;
    const inner = within[level + 1]?.[0];
    const waiting = part.tokens.find(
      inner === undefined ? (each) => waitsFor(each, part.scopes, waitId) : opens(inner),
    );
    const behind = missed({ moves }, root);
    const [scope] = whereLed(root.scope, (waiting ?? root).element, behind);
    return isAbandoned({ scopes }, [[scope, token]]) || takesCancellation(part.tokens, waiting ?? root, behind);
  });
}

const opens =
  (scope: number | undefined) =>
  (token: Token): boolean =>
    scope !== undefined && token.opens === scope;

const waitsFor = ({ wait, boundaries = [], opens: own }: Token, scopes: readonly Scope[], id: string): boolean => {
  const { events = [] } = scopes.find((scope) => scope.id === own) ?? {};
  const waits = [wait, ...[...boundaries, ...events].map((armed) => armed.wait)];
  return waits.some((each) => each !== undefined && 'id' in each && each.id === id);
};

/** Whether the token, or one of these around it, is at an activity that one of the moves cancels. */
function takesCancellation(tokens: readonly Token[], token: Token, moves: readonly Move[]): boolean {
  const chain: Token[] = [];
  for (let at: Token | undefined = token; at !== undefined; at = tokens.find(opens(at.scope))) chain.push(at);
  let positions = chain.map(({ element }) => element);
  for (const move of moves) {
    if (!isCancellation(move)) positions = positions.map((element) => move.elements[element] ?? -1);
    else if (move.cancels === 0) {
      if (chain.at(-1)?.scope === 0) return true;
    } else if (positions.some((at) => (move.within ?? [move.cancels]).includes(at))) return true;
  }
  return false;
}

/** Where the token is that waits for the job, if it is in a large scope. */
export const pathOfJob = ({ input }: Pick<NewJob, 'input'>): Path | undefined =>
  (input as { readonly within?: Path } | null)?.within;

/** The number of the outermost large scope that something is in; null: it is in none. */
export const outermost = (within: Path | undefined): number | null => within?.[0]?.[0] ?? null;

/** Of how many instances a list leaves out what they have left: it reads them. */
const LEAVING_MAX = 500;

/** How lists of what hangs on tokens leave out what is gone. Its columns `instanceId` and `scope` are the instance and the {@link outermost} scope. */
export const leavingBehind = <T extends Hanging>(
  placeOf: (document: T) => { readonly within?: Path | undefined },
): LeavingBehind<T> => ({
  mayBe: (document) => placeOf(document).within !== undefined,
  now: (state) => leftIn(state, placeOf),
});

interface Hanging {
  readonly id: string;
  readonly instanceId: string | null;
}

function leftIn<T extends Hanging>(
  state: Lookup,
  placeOf: Parameters<typeof leavingBehind<T>>[0],
): LeftBehind<T> | undefined {
  const leaving = state.range(processInstances, 'leaving', [1], LEAVING_MAX);
  if (leaving.length === 0) return undefined;
  const ended = leaving.filter(({ endTime }) => endTime !== null);
  const running = leaving.filter(({ endTime }) => endTime === null);
  const left = running.flatMap((instance): Condition[] => {
    const scopes = instance.state.scopes.flatMap(({ id, abandoned }) => (abandoned === undefined ? [] : [id]));
    return scopes.length === 0
      ? []
      : [{ op: 'all', of: [isOf([instance]), { op: 'in', column: 'scope', values: scopes }] }];
  });
  const all: Condition = { op: 'any', of: [{ op: 'all', of: [isOf(ended), IN_LARGE] }, ...left] };
  const partly = new Map(running.filter(({ state: of }) => isLeftWithin(of)).map((each) => [each.id, each]));
  if (partly.size === 0) return { all };
  const isGoneNow = (document: T): boolean => {
    const instance = partly.get(document.instanceId ?? '');
    return instance !== undefined && isGone(state, instance, { id: document.id, within: placeOf(document).within });
  };
  return { all, some: { among: { op: 'all', of: [isOf([...partly.values()]), IN_LARGE] }, isGone: isGoneNow } };
}

const IN_LARGE: Condition = { op: 'notNull', column: 'scope' };

const isOf = (instances: readonly ProcessInstance[]): Condition => ({
  op: 'in',
  column: 'instanceId',
  values: instances.map(({ id }) => id),
});

/** Whether something was left or cancelled within what rests in an outermost large scope, or may be led to what was left. */
const isLeftWithin = ({ scopes, moves = [] }: InstanceState): boolean =>
  moves.some(isCancellation) ||
  scopes.some(({ abandoned, parent }) => abandoned !== undefined && (isLeading(moves) || !isHere(scopes, parent)));

const isLeading = (moves: readonly Move[]): boolean => moves.some((move) => ledBy(move).length > 0);

const isHere = (scopes: readonly Scope[], parent: number | null): boolean =>
  parent === null || scopes.some(({ id }) => id === parent);
