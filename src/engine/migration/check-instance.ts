import type { InstanceState, Scope, Token } from '../element/instance-state.js';
import { elementAt, scopesAround } from '../model/elements.js';
import { type AwayCounts, ofLarge } from './check-large.js';
import { goalOf, placeOf } from './completed.js';
import type { LargeScope } from './lead-resting.js';
import type { InstanceProblem, Mapping } from './mapping.js';

/** Programs and what goes where; what waits anew does not matter here. */
type Ways = Pick<Mapping, 'source' | 'target' | 'elements'>;

/**
 * All that hinders an instance, before anything of it moves. `away`: what rests in its large scopes; `nested`: large scopes within that, looked up where it
 * matters. Each problem once.
 */
export function problemsIn(
  ways: Ways,
  state: InstanceState,
  away: AwayCounts = {},
  nested: () => readonly LargeScope[] = () => [],
): InstanceProblem[] {
  const scopes = new Map(state.scopes.map((scope) => [scope.id, scope]));
  const found = [
    ...ofModification(ways, state),
    ...state.tokens.flatMap((token) => ofToken(ways, scopes, token)),
    ...state.scopes.flatMap((scope) => ofDone(ways, scopes, scope)),
    ...ofLarge(ways, { scopes, away, nested }),
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
    if (wait?.kind === 'scope' && opens !== undefined) return [];
    const message =
      mapped(ways, token.element) < 0
        ? `expected an instruction for activity '${activityId}', at which the instance is, but there is none`
        : `expected the loop '${activityId}' to have begun all of its instances before it is taken away`;
    return [{ rule: 'instruction', activityId, message }];
  }
  return ofWay(ways, token);
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
