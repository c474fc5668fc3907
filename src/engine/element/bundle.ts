import type { InstanceState, Scope } from './instance-state.js';

// Much that has completed in a scope and can be compensated is kept in bundles, which are stored apart. The scope keeps the newest alone, and knows the last
// bundle, which knows the one before it. A bundle comes back when what is in it is to be compensated; what a run does must not depend on whether others are there.

/** The bundle that the job brings back, if it brings one. */
export function bundleOf({ tokens }: InstanceState, jobId: string): number | undefined {
  const found = tokens.find(({ wait }) => wait?.kind === 'job' && wait.of === 'bundle' && wait.id === jobId);
  return found && tokens.find(({ id }) => id === found.compensates)?.compensation?.at(-1)?.bundle;
}

/** Takes a bundle out of the state, with those before it. Gives the first of them that are not there. */
export function dropBundle({ scopes }: InstanceState, id: number): number[] {
  const away: number[] = [];
  const left = [id];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const found = scopes.findIndex((scope) => scope.id === next);
    if (found < 0) {
      away.push(next);
      continue;
    }
    const [bundle] = scopes.splice(found, 1);
    for (const each of bundle?.done ?? []) {
      const own = scopes.findIndex((scope) => scope.id === each.scope);
      if (own >= 0) scopes.splice(own, 1);
      if (each.bundle !== undefined) left.push(each.bundle);
    }
  }
  return away;
}

/** A bundle with the scopes that are in it, itself the first. */
export type Bundle = readonly [Scope, ...Scope[]];

/** Puts the bundles apart. */
export function bundlesApart(state: InstanceState): { readonly rest: InstanceState; readonly bundles: Bundle[] } {
  if (!state.scopes.some(({ isBundle }) => isBundle)) return { rest: state, bundles: [] };
  const byId = new Map(state.scopes.map((scope) => [scope.id, scope]));
  const bundles = state.scopes
    .filter(({ isBundle }) => isBundle)
    .map((bundle): Bundle => [bundle, ...(bundle.done ?? []).flatMap(({ scope }) => byId.get(scope ?? -1) ?? [])]);
  const apart = new Set(bundles.flat());
  return { rest: { ...state, scopes: state.scopes.filter((scope) => !apart.has(scope)) }, bundles };
}
