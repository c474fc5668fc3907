import type { InstanceState, Scope, Token } from '../element/instance-state.js';
import { isCancellation } from '../element/move.js';
import { elementAt, scopesAround } from '../model/elements.js';
import { goalOf, placeOf } from './completed.js';
import type { Mapping } from './mapping.js';

/** Why an instance cannot migrate. */
export interface InstanceProblem {
  readonly rule: string;
  /** Where it is. */
  readonly activityId: string;
  /** A whole sentence. */
  readonly message: string;
}

/** Programs and what goes where; what waits anew does not matter here. */
type Ways = Pick<Mapping, 'source' | 'target' | 'elements'>;

/** How many tokens are away, by the large scope, and by element. */
type AwayCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** A large scope within what rests: whose it is, and whether it holds the instances of a loop. */
export interface LargeWithin {
  readonly element: number;
  readonly isBody: boolean;
}

/**
 * All that hinders an instance, before anything of it moves. `away`: what rests in its large scopes; `nested`: large scopes within that, looked up where it
 * matters. Each problem once.
 */
export function problemsIn(
  ways: Ways,
  state: InstanceState,
  away: AwayCounts = {},
  nested: () => readonly LargeWithin[] = () => [],
): InstanceProblem[] {
  const scopes = new Map(state.scopes.map((scope) => [scope.id, scope]));
  const found = [
    ...ofModification(ways, state),
    ...state.tokens.flatMap((token) => ofToken(ways, scopes, token)),
    ...state.scopes.flatMap((scope) => [...ofDone(ways, scopes, scope), ...ofLarge(ways, scope)]),
    ...Object.entries(away).flatMap(([id, counts]) => ofAway(ways, scopes.get(Number(id)), counts)),
    ...ofRebuilt(ways, { state, scopes, away, nested }),
  ];
  return [...new Map(found.map((problem) => [JSON.stringify(problem), problem])).values()];
}

/** What a modification is still to do is said by the ids of the model that it was asked for. */
function ofModification(ways: Ways, { modifying }: InstanceState): InstanceProblem[] {
  if (modifying === undefined) return [];
  const activityId = idOf(ways, 0);
  const message = `expected the modification of the instance that is under way in '${activityId}' to be done first`;
  return [{ rule: 'modification', activityId, message }];
}

type Scopes = ReadonlyMap<number, Scope>;

const mapped = ({ elements }: Ways, position: number): number => elements[position] ?? -1;
const idOf = ({ source }: Ways, position: number): string => elementAt(source, position).id;

/** Whether the token is a loop as a whole, rather than one of its instances. */
export const isBody = ({ source }: Pick<Ways, 'source'>, scopes: Scopes, { element, scope }: Token): boolean =>
  elementAt(source, element).loop !== undefined && scopes.get(scope)?.element !== element;

/** Whether the token's activity goes, while what happens in it stays: it has no instruction, or its loop is taken away. */
export const isRemoved = (ways: Ways, scopes: Scopes, token: Token): boolean => {
  const to = mapped(ways, token.element);
  if (to < 0) return true;
  return token.opens !== undefined && isBody(ways, scopes, token) && elementAt(ways.target, to).loop === undefined;
};

function ofToken(ways: Ways, scopes: Scopes, token: Token): InstanceProblem[] {
  const activityId = idOf(ways, token.element);
  const { wait, opens } = token;
  if (isRemoved(ways, scopes, token)) {
    if (wait?.kind === 'scope' && opens !== undefined) return inLarge(ways, scopes, token, 'be taken away');
    const message =
      mapped(ways, token.element) < 0
        ? `expected an instruction for activity '${activityId}', at which the instance is, but there is none`
        : `expected the loop '${activityId}' to have begun all of its instances before it is taken away`;
    return [{ rule: 'instruction', activityId, message }];
  }
  return [...ofWay(ways, token), ...surroundings(ways, scopes, token)];
}

/** The flow by which the token was to leave: one of the same id, or the only one; null: it was to leave by none, or there is none. */
export function wayAfter({ source, target, elements }: Ways, { element, wait }: Token): number | null | undefined {
  if (wait?.kind !== 'job' || wait.way === undefined) return null;
  const { outgoing } = elementAt(target, elements[element] ?? 0);
  if (outgoing.length === 0) return null;
  const id = source.flows[wait.way]?.id;
  return outgoing.find((flow) => target.flows[flow]?.id === id) ?? (outgoing.length === 1 ? outgoing[0] : undefined);
}

function ofWay(ways: Ways, token: Token): InstanceProblem[] {
  if (wayAfter(ways, token) !== undefined) return [];
  const activityId = idOf(ways, token.element);
  const way = token.wait?.kind === 'job' ? ways.source.flows[token.wait.way ?? -1]?.id : undefined;
  const to = elementAt(ways.target, mapped(ways, token.element)).id;
  const message = `expected flow '${way}', by which '${activityId}' was to be left, or only one flow out of '${to}'`;
  return [{ rule: 'way-out', activityId, message }];
}

/** In a large scope each token stays where it is. */
function surroundings(ways: Ways, scopes: Scopes, token: Token): InstanceProblem[] {
  const scope = scopes.get(token.scope);
  if (scope?.size === undefined || scope.element === token.element) return [];
  const { parent } = elementAt(ways.target, mapped(ways, token.element));
  return parent === mapped(ways, scope.element) ? [] : inLarge(ways, scopes, token, 'get another scope around it');
}

function inLarge(ways: Ways, scopes: Scopes, { element, scope, opens }: Token, what: string): InstanceProblem[] {
  const isLarge = [scope, opens ?? -1].some((id) => scopes.get(id)?.size !== undefined);
  if (!isLarge) return [];
  const activityId = idOf(ways, element);
  const message = `expected '${activityId}' not to ${what} while there are so many tokens that they are stored apart`;
  return [{ rule: 'large-scope', activityId, message }];
}

/** What has completed is compensated where it has completed, or in scopes that are added there. */
function ofDone(ways: Ways, scopes: Scopes, scope: Scope): InstanceProblem[] {
  const around = placeOf(ways, (id) => scopes.get(id), scope);
  return (scope.done ?? []).flatMap(({ element }) => {
    const to = goalOf(ways, element);
    if (to < 0 || scopesAround(ways.target, to).includes(around)) return [];
    const activityId = idOf(ways, element);
    const message = `expected '${activityId}', which has completed and may be compensated, to be in '${elementAt(ways.target, around).id}', but '${elementAt(ways.target, to).id}' is elsewhere`;
    return [{ rule: 'compensation', activityId, message }];
  });
}

function ofLarge(ways: Ways, scope: Scope): InstanceProblem[] {
  if (scope.size === undefined || scope.abandoned !== undefined || scope.parent === null) return [];
  const to = mapped(ways, scope.element);
  const isKept = to >= 0 && (scope.repeats === undefined || elementAt(ways.target, to).loop !== undefined);
  if (isKept) return [];
  const activityId = idOf(ways, scope.element);
  const message = `expected '${activityId}' not to be taken away while there are so many tokens in it that they are stored apart`;
  return [{ rule: 'large-scope', activityId, message }];
}

/** What rests directly in a large scope stays there; within each of that, scopes may come and go. */
function ofAway(ways: Ways, scope: Scope | undefined, counts: Readonly<Record<string, number>>): InstanceProblem[] {
  if (scope === undefined) return [];
  return Object.entries(counts).flatMap(([position, count]): InstanceProblem[] => {
    const leaf = Number(position);
    const activityId = idOf(ways, leaf);
    const tokens = `${count} of the instance's tokens are at '${activityId}'`;
    if (mapped(ways, leaf) < 0) {
      const message = `expected an instruction for activity '${activityId}', but there is none, and ${tokens}`;
      return [{ rule: 'instruction', activityId, message }];
    }
    const chain = [leaf, ...scopesAround(ways.source, leaf)];
    // The instances of a loop are at its own element.
    const root = scope.repeats === undefined ? chain[chain.indexOf(scope.element) - 1] : undefined;
    if (root === undefined || staysIn(ways, root, scope.element)) return [];
    const message = `expected what is directly around '${idOf(ways, root)}' to stay, for ${tokens}, so many that they are stored apart`;
    return [{ rule: 'large-scope', activityId, message }];
  });
}

/** Whether what is directly in the one element is directly in the one that this goes to, and a loop if it was one. */
const staysIn = (ways: Ways, element: number, around: number): boolean =>
  keepsLoop(ways, element) && elementAt(ways.target, mapped(ways, element)).parent === mapped(ways, around);

/** Whether the element goes somewhere, and is a loop there if it was one. */
function keepsLoop({ source, target, elements }: Ways, element: number): boolean {
  const to = elements[element] ?? -1;
  return to >= 0 && (elementAt(target, to).loop === undefined) === (elementAt(source, element).loop === undefined);
}

interface Resting {
  readonly state: InstanceState;
  readonly scopes: Scopes;
  readonly away: AwayCounts;
  readonly nested: () => readonly LargeWithin[];
}

/** Scopes come and go within what rests: all of that is to be of one program, what has completed in it stays in place, and no large scope in it changes. */
function ofRebuilt(ways: Ways, { state, scopes, away, nested }: Resting): InstanceProblem[] {
  const rebuilt = new Set<number>();
  for (const [id, counts] of Object.entries(away)) {
    const scope = scopes.get(Number(id));
    if (scope === undefined) continue;
    const inside = Object.keys(counts).flatMap((leaf) => [...scopesAround(ways.source, Number(leaf)), Number(leaf)]);
    for (const each of inside) {
      const { parent } = elementAt(ways.source, each);
      if (isIn(ways, each, scope.element) && !staysIn(ways, each, parent)) rebuilt.add(each);
    }
  }
  const [first] = rebuilt;
  if (first === undefined) return [];
  const activityId = idOf(ways, first);
  if (state.moves?.some((move) => !isCancellation(move))) {
    const message = `expected all of the instance to have followed its last migration, which it does by itself, before the scopes around '${activityId}' change`;
    return [{ rule: 'large-scope', activityId, message }];
  }
  const large = nested();
  return [...rebuilt].flatMap((each) => [...ofNested(ways, each, large), ...ofRemembered(ways, each)]);
}

/** Whether the element is somewhere in the other one. */
const isIn = ({ source }: Ways, element: number, around: number): boolean =>
  scopesAround(source, element).includes(around);

/** In a large scope within what rests everything stays where it is. */
function ofNested(ways: Ways, element: number, large: readonly LargeWithin[]): InstanceProblem[] {
  const { id: activityId, parent } = elementAt(ways.source, element);
  const isHeld = large.some(({ element: one, isBody }) => one === parent && !isBody);
  const isHolder = large.some((one) => one.element === element) && !keepsLoop(ways, element);
  if (!isHeld && !isHolder) return [];
  const message = isHeld
    ? `expected what is directly around '${activityId}' to stay while so many tokens are in it that they are stored apart`
    : `expected '${activityId}' not to be taken away while there are so many tokens in it that they are stored apart`;
  return [{ rule: 'large-scope', activityId, message }];
}

/** It may have completed anywhere in what rests, and what can be compensated is compensated where it has completed. */
function ofRemembered({ source }: Ways, element: number): InstanceProblem[] {
  const canBeUndone = ({ compensation }: { readonly compensation?: unknown }) => compensation !== undefined;
  const hasUndoing = source.elements.some(
    (each, at) => canBeUndone(each) && (at === element || scopesAround(source, at).includes(element)),
  );
  if (!hasUndoing) return [];
  const { id: activityId } = elementAt(source, element);
  const message = `expected what is around '${activityId}', which may have completed and be compensated, to stay while there are so many tokens that they are stored apart`;
  return [{ rule: 'compensation', activityId, message }];
}
