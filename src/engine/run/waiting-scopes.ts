import type { State } from '../../store/index.js';
import { instanceParts, type ProcessInstance, partId, type Subscription } from '../collections.js';
import type { Scope, Token, Variables } from '../element/instance-state.js';
import type { Path } from '../element/large-scope.js';
import { type CorrelationKey, isKeyOf } from '../rule/correlation-key.js';
import { partsOf } from './instance-parts.js';
import { bringBack, rehydrate } from './load-instance.js';

/** A token, and where it is, if that is in a large scope. */
export interface Placed {
  readonly tokenId: number;
  readonly within?: Path | undefined;
}

/** Where a token of an instance is, by its number. */
export function placeOfToken(
  state: Pick<State, 'get' | 'range'>,
  { id, away, state: { tokens } }: ProcessInstance,
  tokenId: number,
): Placed {
  if (away === undefined || tokens.some((token) => token.id === tokenId)) return { tokenId };
  const own = state.get(instanceParts, partId(id, tokenId));
  if (own !== undefined) return { tokenId, within: own.within };
  for (const { tokens: held, within } of partsOf(state, id))
    if (held.some((token) => token.id === tokenId)) return { tokenId, within };
  return { tokenId };
}

/** The variables of the scopes around a token: those of its own activity first, where it has a scope, those of the process last. */
export function variablesAround(
  state: Pick<State, 'get'>,
  instance: ProcessInstance,
  { tokenId, within }: Placed,
): { readonly token: Token | undefined; readonly own: Variables | undefined; readonly around: readonly Variables[] } {
  const loaded = rehydrate(state, within === undefined ? instance : withRoom(instance));
  if (within !== undefined) bringBack(state, loaded, [within]);
  const scopes = new Map(loaded.state.scopes.map((scope) => [scope.id, scope]));
  const token = loaded.state.tokens.find(({ id }) => id === tokenId);
  const around: Variables[] = [];
  let scope: Scope | undefined = scopes.get(token?.scope ?? 0);
  while (scope !== undefined) {
    around.push(scope.variables);
    scope = scope.parent === null ? undefined : scopes.get(scope.parent);
  }
  return { token, own: token?.opens === undefined ? undefined : scopes.get(token.opens)?.variables, around };
}

/** The instance, to which tokens can be brought back without its readers' noticing. */
const withRoom = (instance: ProcessInstance): ProcessInstance => ({
  ...instance,
  state: { ...instance.state, tokens: [...instance.state.tokens], scopes: [...instance.state.scopes] },
});

/** Variables that a receiver has. */
export interface SoughtVariables {
  /** In its own scope, or one around it. */
  readonly keys?: readonly CorrelationKey[];
  /** In its own scope. */
  readonly localKeys?: readonly CorrelationKey[];
}

/** Whether variables are sought at all. */
export const isSought = ({ keys = [], localKeys = [] }: SoughtVariables): boolean => keys.length + localKeys.length > 0;

/** Whether what waits for the subscription has the variables. Of what waits in the process itself the own scope is the process. */
export function hasVariables(
  state: Pick<State, 'get'>,
  instance: ProcessInstance,
  subscription: Pick<Subscription, 'executionId' | 'within'>,
  { keys = [], localKeys = [] }: SoughtVariables,
): boolean {
  const { locals, all } = scopesOf(state, instance, subscription);
  const has = (variables: Variables, key: CorrelationKey) =>
    Object.hasOwn(variables, key.name) && isKeyOf(key, variables[key.name]);
  return localKeys.every((key) => has(locals, key)) && keys.every((key) => all.some((each) => has(each, key)));
}

/** The variables of the own scope of what waits, and those of all scopes around it, its own included. */
export function scopesOf(
  state: Pick<State, 'get'>,
  instance: ProcessInstance,
  { executionId, within }: Pick<Subscription, 'executionId' | 'within'>,
): { readonly locals: Variables; readonly all: readonly Variables[] } {
  const token = executionId?.split(':')[1];
  const { own, around } = variablesAround(state, instance, { tokenId: Number(token ?? 0), within });
  const locals = own ?? (token === undefined ? around[0] : undefined) ?? {};
  return { locals, all: own === undefined ? around : [own, ...around] };
}
