import type { InstanceState, Scope } from '../element/instance-state.js';
import { ledBy } from '../element/move.js';
import { prepare } from '../element/prepared.js';
import { elementAt, scopesAround } from '../model/elements.js';
import { type LargeScope, stayingIn } from './lead-resting.js';
import type { InstanceProblem, Mapping } from './mapping.js';

// What hinders what rests in large scopes, of which only the places are known.

/** Programs and what goes where. */
type Ways = Pick<Mapping, 'source' | 'target' | 'elements'>;

/** How many tokens are away, by the large scope, and by element. */
export type AwayCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** What rests in the large scopes of an instance. */
export interface Resting {
  readonly scopes: ReadonlyMap<number, Scope>;
  readonly away: AwayCounts;
  /** Large scopes within it. */
  readonly nested: () => readonly LargeScope[];
}

/** An element at which tokens are, with the large scope that they are in. */
interface Leaf {
  readonly leaf: number;
  readonly count: number;
  readonly around: LargeScope;
}

const leavesOf = ({ scopes, away }: Pick<Resting, 'scopes' | 'away'>): Leaf[] =>
  Object.entries(away).flatMap(([id, counts]) => {
    const scope = scopes.get(Number(id));
    if (scope === undefined) return [];
    const around = { element: scope.element, isBody: scope.repeats !== undefined };
    return Object.entries(counts).map(([leaf, count]) => ({ leaf: Number(leaf), count, around }));
  });

const mapped = ({ elements }: Ways, position: number): number => elements[position] ?? -1;
const idOf = ({ source }: Ways, position: number): string => elementAt(source, position).id;

export function ofLarge(ways: Ways, resting: Resting): InstanceProblem[] {
  const leaves = leavesOf(resting);
  return [
    ...leaves.flatMap((leaf) => [...ofWay(ways, leaf), ...ofPlace(ways, leaf)]),
    ...ofRebuilt(ways, leaves, resting),
  ];
}

/** It goes somewhere. */
function ofWay(ways: Ways, { leaf, count }: Leaf): InstanceProblem[] {
  if (mapped(ways, leaf) >= 0) return [];
  const activityId = idOf(ways, leaf);
  const message = `expected an instruction for activity '${activityId}', but there is none, and ${tokensAt(count, activityId)}`;
  return [{ rule: 'instruction', activityId, message }];
}

const tokensAt = (count: number, id: string) => `${count} of the instance's tokens are at '${id}'`;

/** It goes to where so many may be: nothing there looks at all of them together. */
function ofPlace(ways: Ways, { leaf, count, around }: Leaf): InstanceProblem[] {
  const [outermost] = stayingIn(ways, around, leaf);
  if (outermost === undefined || (around.isBody && outermost === around.element && keepsLoop(ways, outermost)))
    return [];
  const { parent } = elementAt(ways.target, mapped(ways, outermost));
  if (!prepare(ways.target).gathering.has(parent)) return [];
  const activityId = idOf(ways, leaf);
  const holder = elementAt(ways.target, parent).id;
  const message = `expected no event sub-process, no inclusive or complex gateway that joins and no cancel end event directly in '${holder}', for ${tokensAt(count, activityId)}, so many that they are stored apart`;
  return [{ rule: 'large-scope', activityId, message }];
}

/** Whether the element goes somewhere, and is a loop there if it was one. */
function keepsLoop({ source, target, elements }: Ways, element: number): boolean {
  const to = elements[element] ?? -1;
  return to >= 0 && (elementAt(target, to).loop === undefined) === (elementAt(source, element).loop === undefined);
}

/** Whether what is directly in the one element is directly in the one that this goes to, and a loop if it was one. */
const staysIn = (ways: Ways, element: number, around: number): boolean =>
  keepsLoop(ways, element) && elementAt(ways.target, mapped(ways, element)).parent === mapped(ways, around);

/** What rests, and what is within it, that gets another scope around it. */
function rebuiltIn(ways: Ways, leaves: readonly Leaf[]): Map<number, LargeScope> {
  const rebuilt = new Map<number, LargeScope>();
  for (const { leaf, around } of leaves) {
    for (const each of [leaf, ...scopesAround(ways.source, leaf)]) {
      if (isIn(ways, each, around.element) && !staysIn(ways, each, elementAt(ways.source, each).parent))
        rebuilt.set(each, around);
    }
    if (around.isBody && !keepsLoop(ways, around.element)) rebuilt.set(around.element, around);
  }
  return rebuilt;
}

/** Whether the element is somewhere in the other one. */
const isIn = ({ source }: Ways, element: number, around: number): boolean =>
  scopesAround(source, element).includes(around);

/** Whether all is to have followed the last migration or cancellation first: scopes come or go around what rests, or did. */
export function isToFollowFirst(ways: Ways, { moves = [], scopes }: InstanceState, away: AwayCounts = {}): boolean {
  if (moves.some((move) => ledBy(move).length > 0)) return true;
  const leaves = leavesOf({ scopes: new Map(scopes.map((scope) => [scope.id, scope])), away });
  return moves.length > 0 && rebuiltIn(ways, leaves).size > 0;
}

/** Scopes come and go around what rests and within it: what has completed in it stays in place, and no large scope in it changes. */
function ofRebuilt(ways: Ways, leaves: readonly Leaf[], { nested }: Resting): InstanceProblem[] {
  const rebuilt = rebuiltIn(ways, leaves);
  if (rebuilt.size === 0) return [];
  const large = nested();
  return [...rebuilt].flatMap(([each, around]) => {
    const isRoot = around.isBody ? each === around.element : elementAt(ways.source, each).parent === around.element;
    const isWhole = isRoot && (around.isBody ? mapped(ways, each) >= 0 : keepsLoop(ways, each));
    if (isWhole) return [];
    return [...ofNested(ways, each, { large, isRoot }), ...ofRemembered(ways, each)];
  });
}

/** In a large scope within what rests everything stays where it is, and that stays in what rests. */
function ofNested(
  ways: Ways,
  element: number,
  { large, isRoot }: { readonly large: readonly LargeScope[]; readonly isRoot: boolean },
): InstanceProblem[] {
  const { id: activityId, parent } = elementAt(ways.source, element);
  const isHeld = large.some((one) => one.element === parent && !one.isBody);
  const isHolder = large.some((one) => one.element === element) && !keepsLoop(ways, element);
  const isAround = isRoot && large.some((one) => isIn(ways, one.element, element));
  if (!isHeld && !isHolder && !isAround) return [];
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
