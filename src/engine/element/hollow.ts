import { Asked } from './failure.js';
import type { InstanceState, OnTheWay, Token } from './instance-state.js';
import { largeScopes, pathsIn } from './large-scope.js';
import { isCancellation } from './move.js';
import type { Run } from './run.js';

// While a cancellation is on its way to what rests in large scopes, a scope may be hollow: there is nothing in it any more, but it is there until the last of what
// rests has gone. Whatever would happen to it waits for that.

/** Whether cancellations are on their way. */
export const isCancelling = ({ moves = [] }: Pick<InstanceState, 'moves'>): boolean => moves.some(isCancellation);

/** Whether there is nothing in the scope but what is to be cancelled, or may be: of large scopes within what rests only the tokens that are here are known. */
export function isHollow(state: InstanceState, away: OnTheWay['away'], id: number): boolean {
  const large = largeScopes(state);
  if (large === undefined) return false;
  const isWithin = within(state, id);
  const inside = [...large.values()].filter((scope) => isWithin(scope.id));
  if (inside.length === 0 || state.tokens.some((token) => isLeaf(token) && isWithin(token.scope))) return false;
  const pathOf = pathsIn(state);
  const owners = new Map(state.tokens.map((token) => [token.opens, token.id]));
  const outermost = inside.filter((scope) => pathOf(owners.get(scope.id) ?? 0) === undefined);
  return outermost.every((scope) => (away[scope.id] ?? 0) <= 0);
}

/** Whether a scope is the one, or in it, and was not left. */
function within({ scopes }: InstanceState, id: number): (scope: number) => boolean {
  const known = new Map(scopes.map((scope) => [scope.id, scope]));
  return (inner) => {
    for (let at = known.get(inner); at !== undefined && at.abandoned === undefined; at = known.get(at.parent ?? -1))
      if (at.id === id) return true;
    return false;
  };
}

const isLeaf = ({ wait }: Token): boolean => wait?.kind !== 'scope';

/** Something is to happen to the scope: not before it is known whether there is anything in it. */
export function requireInhabited({ state, context: { onTheWay } }: Run, id: number | undefined): void {
  if (onTheWay === undefined || id === undefined || !isCancelling(state)) return;
  if (isHollow(state, onTheWay.away, id)) throw new Asked(onTheWay.ask);
}

/** What was named is not there: nor is it when all have followed, but then whoever names it is told so as everybody is. */
export function requireFollowed({ context: { onTheWay } }: Run): void {
  if (onTheWay !== undefined) throw new Asked(onTheWay.ask);
}

/** Something is to begin or to be cancelled anywhere: not while a scope is hollow. */
export function requireAllInhabited(run: Run): void {
  if (run.context.onTheWay === undefined) return;
  for (const { id, husk, abandoned } of largeScopes(run.state)?.values() ?? [])
    if (!husk && abandoned === undefined) requireInhabited(run, id);
}
