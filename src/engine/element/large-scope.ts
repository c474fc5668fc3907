import type { Armed, InstanceState, Scope, Token, Wait } from './instance-state.js';
import { isCancellation, ledBy, type Move } from './move.js';

// A scope with many tokens is large: it counts them, and those that rest in it may be away, in documents of their own. A run has those that it was
// loaded with; what it does must not depend on whether the others are there.

/** As many instances of a parallel multi-instance make its body large. */
export const LARGE_FROM = 50;

/** A token in a large scope, by the numbers of both. */
export type Within = readonly [scope: number, token: number];

/** Where a token is, from outside in: itself and those around it that are in large scopes. */
export type Path = readonly Within[];

/** The numbers of the tokens on the paths. */
export const tokensOn = (paths: readonly Path[]): number[] => paths.flatMap((path) => path.map(([, token]) => token));

/** Whether the token is one of those that may be away; tokens that were there before their scope became large stay, as do those that a migration brings there. */
export const mayBeAway = ({ from = 0 }: Scope, { id, stays }: Token): boolean => id >= from && stays !== true;

/** The large scopes of the state, by number; undefined: there is none. */
export function largeScopes({ scopes }: InstanceState): Map<number, Scope> | undefined {
  let found: Map<number, Scope> | undefined;
  for (const scope of scopes) {
    if (scope.size === undefined) continue;
    found ??= new Map();
    found.set(scope.id, scope);
  }
  return found;
}

/** The tokens that rest in large scopes, with all that happens in them: nothing of a run goes on there. */
export function restingTokens(state: InstanceState): Set<Token> {
  const large = largeScopes(state);
  const resting = new Set<Token>();
  if (large === undefined) return resting;
  const restless = restlessTokens(state);
  for (const token of state.tokens) {
    const scope = large.get(token.scope);
    if (scope === undefined || restless.has(token) || !mayBeAway(scope, token)) continue;
    // A token at a join is looked at by others of its scope.
    if (token.wait?.kind !== 'join') resting.add(token);
  }
  return resting;
}

/** Those that do not rest, and those around them. */
function restlessTokens(state: InstanceState): Set<Token> {
  const owners = ownersOf(state);
  const restless = new Set<Token>();
  const mark = (token: Token | undefined) => {
    for (let at = token; at !== undefined && !restless.has(at); at = owners.get(at.scope)) restless.add(at);
  };
  for (const token of state.tokens) if (!rests(token)) mark(token);
  for (const { id, events = [] } of state.scopes) if (!events.every(isResting)) mark(owners.get(id));
  return restless;
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

/** Gives the paths of tokens; of one that is in no large scope, undefined. */
export function pathsIn(state: InstanceState): (tokenId: number) => Path | undefined {
  const large = largeScopes(state);
  if (large === undefined) return () => undefined;
  const owners = ownersOf(state);
  const tokens = new Map(state.tokens.map((token) => [token.id, token]));
  return (tokenId) => {
    const path: Within[] = [];
    for (let at = tokens.get(tokenId); at !== undefined; at = owners.get(at.scope)) {
      const scope = large.get(at.scope);
      if (scope !== undefined && mayBeAway(scope, at)) path.unshift([scope.id, at.id]);
    }
    return path.length === 0 ? undefined : path;
  };
}

/** Whether a scope on the path was left while the token was in it. */
export const isAbandoned = ({ scopes }: Pick<InstanceState, 'scopes'>, path: Path): boolean =>
  path.some(([id]) => scopes.some((scope) => scope.id === id && scope.abandoned !== undefined));

/** The migrations and cancellations that a token resting in a large scope has not taken yet. */
export const missed = ({ moves = [] }: Pick<InstanceState, 'moves'>, { id, moved = 0 }: Token): Move[] =>
  moves.filter(({ n }) => id < n && moved < n);

/** Shows large scopes as they were before the migrations of that number and above, for parts that take these later. Gives the way back. */
export function asSeenBefore({ scopes }: InstanceState, n: number): () => void {
  const changed = scopes.flatMap((scope) => {
    const former = scope.was?.find(([later]) => later >= n)?.[1] ?? scope.element;
    return former === scope.element ? [] : [{ scope, former, element: scope.element }];
  });
  for (const { scope, former } of changed) scope.element = former;
  return () => {
    for (const { scope, element } of changed) scope.element = element;
  };
}

/** Notes on tokens that may come to rest in a large scope later that they have taken the move already. */
export function noteTaken(state: InstanceState, { n }: Pick<Move, 'n'>, tokens: readonly Token[]): void {
  const large = largeScopes(state);
  if (large === undefined) return;
  for (const token of tokens) if (token.id < n && large.has(token.scope)) token.moved = n;
}

/** Whether a migration is still to lead others into the scope. */
export const isAwaited = ({ moves = [], scopes }: Pick<InstanceState, 'moves' | 'scopes'>, id: number): boolean =>
  moves.some((move) => ledBy(move).some(({ scope, to }) => to === id && isLeading(scopes, scope)));

const isLeading = (scopes: readonly Scope[], id: number): boolean =>
  scopes.some((scope) => scope.id === id && scope.abandoned === undefined);

/** A token has come through the scope, of which others may still have to take a move. */
export function noteThrough(
  { state: { moves }, rules }: { readonly state: Pick<InstanceState, 'moves'>; readonly rules: number },
  scope: Scope,
): void {
  if (moves === undefined || (scope.size === undefined && rules < 8)) return;
  const last = rules >= 8 ? moves.at(-1) : moves.findLast(isCancellation);
  if (last !== undefined) scope.through = last.n;
}

/** The token that rests, of those that are away with it. */
export const rootOf = ({ within, tokens }: Pick<Part, 'within' | 'tokens'>): Token | undefined =>
  tokens.find(({ id }) => id === within.at(-1)?.[1]);

/** The tokens by the scope that each opens. */
function ownersOf({ tokens }: InstanceState): Map<number, Token> {
  const owners = new Map<number, Token>();
  for (const token of tokens) if (token.opens !== undefined) owners.set(token.opens, token);
  return owners;
}

/** Whether it waits for what names it: a task, a job or a subscription of its own, or for what happens in it. What compensates goes with whatever waits for it. */
const rests = ({ wait, compensates, boundaries = [] }: Token): boolean =>
  wait !== undefined &&
  compensates === undefined &&
  RESTING.has(wait.kind) &&
  !isCut(wait) &&
  boundaries.every(isResting);

const isResting = ({ wait }: Armed): boolean => RESTING.has(wait.kind);

/** Whether it moved when its run was cut: the run goes on with all of its tokens together. */
export const isCut = (wait: Wait | undefined): wait is Extract<Wait, { kind: 'job' }> =>
  wait?.kind === 'job' && wait.of === 'cut';

const RESTING: ReadonlySet<Wait['kind']> = new Set<Wait['kind']>([
  'task',
  'external',
  'called',
  'job',
  'subscription',
  'happened',
  'events',
  'scope',
  'join',
]);
