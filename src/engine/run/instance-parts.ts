import type { State } from '../../store/index.js';
import { type Away, type InstancePart, instanceParts, type NewJob, partId } from '../collections.js';
import type { InstanceState, Scope, Token } from '../element/instance-state.js';
import { isAbandoned, largeScopes, ownersOf, type Path, pathsIn, restingTokens } from '../element/large-scope.js';

/** A part as it was when it was brought back: what is written is compared with it. */
export interface StoredPart {
  readonly within: Path;
  readonly text: string;
  /** The elements of its tokens, those around others left out. */
  readonly elements: readonly number[];
}

/** The state of an instance without what is away, and that. */
interface Divided {
  readonly here: InstanceState;
  readonly parts: readonly Part[];
}

/** A token that is away, with all that happens in it. */
export interface Part {
  readonly within: Path;
  readonly tokens: readonly Token[];
  readonly scopes: readonly Scope[];
}

/** Puts the tokens that rest in large scopes apart. */
export function divide(state: InstanceState): Divided {
  const resting = restingTokens(state);
  if (resting.size === 0) return { here: state, parts: [] };
  const { homeOf, homeOfScope } = homesIn(state, resting);
  const paths = pathsIn(state);
  const parts = new Map<Token, { within: Path; tokens: Token[]; scopes: Scope[] }>();
  for (const token of resting) parts.set(token, { within: paths(token.id) ?? [], tokens: [], scopes: [] });
  const here: InstanceState = { ...state, tokens: [], scopes: [] };
  for (const token of state.tokens) (at(parts, homeOf(token)) ?? here).tokens.push(token);
  for (const scope of state.scopes) (at(parts, homeOfScope(scope)) ?? here).scopes.push(scope);
  return { here, parts: [...parts.values()] };
}

const at = <V>(parts: ReadonlyMap<Token, V>, home: Token | undefined): V | undefined =>
  home === undefined ? undefined : parts.get(home);

/** The innermost resting token that each is in; undefined: none. */
function homesIn(state: InstanceState, resting: ReadonlySet<Token>) {
  const owners = ownersOf(state);
  const homeOf = (token: Token): Token | undefined => {
    let home: Token | undefined = token;
    while (home !== undefined && !resting.has(home)) home = owners.get(home.scope);
    return home;
  };
  const scopes = new Map(state.scopes.map((scope) => [scope.id, scope]));
  // What a body keeps for itself, and what is kept for compensation, is nobody's own scope: it is where the scope around is.
  const homeOfScope = ({ id, parent, abandoned }: Scope): Token | undefined => {
    if (abandoned !== undefined || parent === null) return undefined;
    const owner = owners.get(id);
    if (owner !== undefined) return homeOf(owner);
    const around = scopes.get(parent);
    return around && homeOfScope(around);
  };
  return { homeOf, homeOfScope };
}

/** The parts on the paths, from outside in. */
export function partsOn(state: Pick<State, 'get'>, instanceId: string, paths: Iterable<Path>): InstancePart[] {
  const ids = new Set<string>();
  for (const path of paths) for (const [, token] of path) ids.add(partId(instanceId, token));
  return [...ids].flatMap((id) => state.get(instanceParts, id) ?? []);
}

export const storedPart = ({ within, tokens, scopes, spilled }: InstancePart): StoredPart => ({
  within,
  text: textOf({ tokens, scopes, spilled }),
  elements: leavesOf(tokens),
});

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
export const isLeft = (
  instance: { readonly state: Pick<InstanceState, 'scopes'>; readonly endTime: number | null },
  within: Path | undefined,
): boolean => within !== undefined && (instance.endTime !== null || isAbandoned(instance.state, within));

/** Where the token is that waits for the job, if it is in a large scope. */
export const pathOfJob = ({ input }: Pick<NewJob, 'input'>): Path | undefined =>
  (input as { readonly within?: Path } | null)?.within;
