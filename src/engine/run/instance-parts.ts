import type { State } from '../../store/index.js';
import {
  type Away,
  type InstancePart,
  instanceParts,
  type NewJob,
  type ProcessInstance,
  partId,
} from '../collections.js';
import type { InstanceState, Scope, Token } from '../element/instance-state.js';
import { isAbandoned, largeScopes, missed, type Part, type Path } from '../element/large-scope.js';
import { isCancellation, type Migration, type Move } from '../element/move.js';

/** A part as it was when it was brought back: what is written is compared with it. */
export interface StoredPart {
  readonly within: Path;
  readonly text: string;
  /** The elements of its tokens, those around others left out. */
  readonly elements: readonly number[];
}

/** The parts on the paths, from outside in. */
export function partsOn(state: Pick<State, 'get'>, instanceId: string, paths: Iterable<Path>): InstancePart[] {
  const ids = new Set<string>();
  for (const path of paths) for (const [, token] of path) ids.add(partId(instanceId, token));
  return [...ids].flatMap((id) => state.get(instanceParts, id) ?? []);
}

/** Parts that are read at once. */
const PARTS_PAGE = 200;

/** All parts of an instance; those of one large scope, if that is given. */
export function* partsOf(state: Pick<State, 'range'>, instanceId: string, scope?: number): Generator<InstancePart> {
  const isOwn = (part: InstancePart) => part.instanceId === instanceId && (scope === undefined || part.scope === scope);
  const first = scope === undefined ? [instanceId] : [instanceId, scope];
  for (let last: InstancePart | undefined; ; ) {
    const from = last === undefined ? first : [instanceId, last.scope, last.id];
    const page = state.range(instanceParts, 'instance', from, PARTS_PAGE);
    const own = page.filter((part) => isOwn(part) && part.id !== last?.id);
    yield* own;
    last = own.at(-1);
    if (last === undefined || page.length < PARTS_PAGE) return;
  }
}

/** `behind`: what it has not taken yet, while the instance counts it where migrations lead. */
export const storedPart = (
  { within, tokens, scopes, spilled }: InstancePart,
  behind: readonly Move[] = [],
): StoredPart => ({
  within,
  text: textOf({ tokens, scopes, spilled }),
  elements: leavesOf(tokens).map((element) => whereLed(element, behind)),
});

/** The position to which migrations lead. */
export const whereLed = (element: number, moves: readonly Move[]): number =>
  moves.reduce((at, move) => (isCancellation(move) ? at : (move.elements[at] ?? 0)), element);

/** How many tokens are away, by where a migration leads them. */
export const awayMoved = (away: Away, { elements }: Migration): Away =>
  mapValues(away, (counts) => {
    const moved: Record<string, number> = {};
    for (const [element, count] of Object.entries(counts)) {
      const to = elements[Number(element)] ?? 0;
      moved[to] = (moved[to] ?? 0) + count;
    }
    return moved;
  });

const mapValues = <V>(record: Readonly<Record<string, V>>, change: (value: V) => V): Record<string, V> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

/** What is compared of a part. */
export const textOf = ({ tokens, scopes, spilled }: Pick<InstancePart, 'tokens' | 'scopes' | 'spilled'>): string =>
  JSON.stringify([tokens, scopes, spilled]);

const leavesOf = (tokens: readonly Token[]): number[] =>
  tokens.flatMap(({ wait, element }) => (wait?.kind === 'scope' ? [] : [element]));

/** How many tokens are away, when these parts took the place of those. Undefined: none is. */
export function awayAfter(
  state: InstanceState,
  before: Away | undefined,
  gone: Iterable<StoredPart>,
  come: Iterable<Part>,
): Away | undefined {
  const counts = new Map(Object.entries(before ?? {}).map(([scope, away]) => [scope, { ...away }]));
  const add = (within: Path, elements: readonly number[], by: number) => {
    const scope = String(within[0]?.[0]);
    const away = counts.get(scope) ?? {};
    for (const element of elements) away[element] = (away[element] ?? 0) + by;
    counts.set(scope, away);
  };
  for (const { within, elements } of gone) add(within, elements, -1);
  for (const { within, tokens } of come) add(within, leavesOf(tokens), 1);
  const alive = largeScopes(state);
  const left = [...counts].flatMap(([scope, away]) => {
    const one = alive?.get(Number(scope));
    const some = Object.entries(away).filter(([, count]) => count > 0);
    return one === undefined || one.abandoned !== undefined || some.length === 0
      ? []
      : [[scope, Object.fromEntries(some)]];
  });
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** Whether what has this path was left behind: it is there only until it is cleared away. */
const isLeft = (
  instance: { readonly state: Pick<InstanceState, 'scopes'>; readonly endTime: number | null },
  within: Path | undefined,
): boolean => within !== undefined && (instance.endTime !== null || isAbandoned(instance.state, within));

/** Of an instance what says what is left of it. */
type Living = Pick<ProcessInstance, 'id' | 'endTime'> & { readonly state: Pick<InstanceState, 'scopes' | 'moves'> };

/** Whether what a token waits for by this id is there only until it is cleared away: it was left behind, or its activity is to be cancelled. */
export const isGone = (
  state: Pick<State, 'get'>,
  instance: Living,
  { id, within }: { readonly id: string; readonly within?: Path | undefined },
): boolean => within !== undefined && (isLeft(instance, within) || isToGo(state, instance, within, id));

/** Whether the activity, or one around it, is still to take a cancellation. */
function isToGo(
  state: Pick<State, 'get'>,
  { id, state: { moves = [] } }: Living,
  within: Path,
  waitId: string,
): boolean {
  if (!moves.some(isCancellation)) return false;
  return within.some(([, token], level) => {
    const part = state.get(instanceParts, partId(id, token));
    const root = part?.tokens.find((each) => each.id === token);
    if (part === undefined || root === undefined) return false;
    const inner = within[level + 1]?.[0];
    const waiting = part.tokens.find(
      inner === undefined ? (each) => waitsFor(each, part.scopes, waitId) : opens(inner),
    );
    return takesCancellation(part.tokens, waiting ?? root, missed({ moves }, root));
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
    else if (move.cancels === 0 ? chain.at(-1)?.scope === 0 : positions.includes(move.cancels)) return true;
  }
  return false;
}

/** Where the token is that waits for the job, if it is in a large scope. */
export const pathOfJob = ({ input }: Pick<NewJob, 'input'>): Path | undefined =>
  (input as { readonly within?: Path } | null)?.within;
