import type { State } from '../../store/index.js';
import { type Away, type InstancePart, instanceParts, outermost, partId } from '../collections.js';
import type { InstanceState, Token } from '../element/instance-state.js';
import { largeScopes, type Part, type Path } from '../element/large-scope.js';
import { isCancelled, type Move, whereLed } from '../element/move.js';

/** A part as it was when it was brought back: what is written is compared with it. */
export interface StoredPart {
  readonly text: string;
  /** The outermost large scopes and elements of its tokens, those around others left out. */
  readonly leaves: readonly (readonly [scope: number, element: number])[];
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

/** `behind`: what it has not taken yet, while the instance counts it where migrations lead, and no more where it is to be cancelled. */
export const storedPart = (
  { within, tokens, scopes, spilled }: InstancePart,
  behind: readonly Move[] = [],
): StoredPart => ({
  text: textOf({ tokens, scopes, spilled }),
  leaves: leavesOf(tokens)
    .filter((element) => !isCancelled(outermost(within) ?? 0, element, behind))
    .map((element) => whereLed(outermost(within) ?? 0, element, behind)),
});

/** How many tokens are away, by where migrations lead them; those that are to be cancelled are not. */
function awayMoved(away: Away, moves: readonly Move[]): Counts {
  const moved: Counts = {};
  for (const [scope, counts] of Object.entries(away)) {
    for (const [element, count] of Object.entries(counts)) {
      if (isCancelled(Number(scope), Number(element), moves)) continue;
      const [to, at] = whereLed(Number(scope), Number(element), moves);
      add(moved, to, at, count);
    }
  }
  return moved;
}

/** How many tokens are away, by the outermost large scope, of which these were brought back. */
export function awayElsewhere(away: Away = {}, broughtBack: Iterable<StoredPart> = []): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [scope, leaves] of Object.entries(away))
    counts[scope] = Object.values(leaves).reduce((sum, count) => sum + count, 0);
  for (const { leaves } of broughtBack) for (const [scope] of leaves) counts[scope] = (counts[scope] ?? 0) - 1;
  return counts;
}

type Counts = Record<string, Record<string, number>>;

function add(counts: Counts, scope: number, element: number, by: number): void {
  counts[scope] ??= {};
  const away = counts[scope];
  away[element] = (away[element] ?? 0) + by;
}

/** Text of a part's tokens and scopes, by which parts are compared. */
export const textOf = ({ tokens, scopes, spilled }: Pick<InstancePart, 'tokens' | 'scopes' | 'spilled'>): string =>
  JSON.stringify([tokens, scopes, spilled]);

const leavesOf = (tokens: readonly Token[]): number[] =>
  tokens.flatMap(({ wait, element }) => (wait?.kind === 'scope' ? [] : [element]));

/** How many tokens are away, when these parts took the place of those, and all take the moves with numbers behind `since`. Undefined: none is. */
export function awayAfter(
  { state, since }: { readonly state: InstanceState; readonly since: number },
  before: Away | undefined,
  gone: Iterable<StoredPart>,
  come: Iterable<Part>,
): Away | undefined {
  const counts = structuredClone(before ?? {}) as Counts;
  for (const { leaves } of gone) for (const [scope, element] of leaves) add(counts, scope, element, -1);
  const moves = state.moves?.filter(({ n }) => n > since) ?? [];
  const moved = moves.length === 0 ? counts : awayMoved(counts, moves);
  for (const { within, tokens } of come)
    for (const element of leavesOf(tokens)) add(moved, outermost(within) ?? 0, element, 1);
  const alive = largeScopes(state);
  const left = Object.entries(moved).flatMap(([scope, away]) => {
    const one = alive?.get(Number(scope));
    const some = Object.entries(away).filter(([, count]) => count > 0);
    return one === undefined || one.abandoned !== undefined || some.length === 0
      ? []
      : [[scope, Object.fromEntries(some)]];
  });
  return left.length === 0 ? undefined : Object.fromEntries(left);
}
