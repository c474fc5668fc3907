import type { State } from '../../store/index.js';
import type { ProcessInstance, Task } from '../collections.js';
import type { Scope, Token, TypedValue } from '../element/instance-state.js';
import { rehydrate } from '../run/instance-store.js';

/** A variable as the API shows it. */
export interface NamedVariable extends TypedValue {
  readonly name: string;
}

type Reading = Pick<State, 'get'>;

/** The variables of the process itself, by name. */
export function processVariables(state: Reading, instance: ProcessInstance): NamedVariable[] {
  const { scopes } = rehydrate(state, instance).state;
  return scopes.filter((scope) => scope.parent === null).flatMap(variablesOf);
}

/** All variables that can be seen from the task, by name; inner ones hide outer ones. */
export function taskVariables(state: Reading, instance: ProcessInstance, task: Task): NamedVariable[] {
  const { scopes, tokens } = rehydrate(state, instance).state;
  const seen = new Map<string, NamedVariable>();
  for (const scope of outwards(scopes, tokenOf(tokens, task))) {
    for (const variable of variablesOf(scope)) if (!seen.has(variable.name)) seen.set(variable.name, variable);
  }
  return [...seen.values()].sort(byName);
}

/** The task's own variables, by name. */
export function taskLocalVariables(state: Reading, instance: ProcessInstance, task: Task): NamedVariable[] {
  const { scopes, tokens } = rehydrate(state, instance).state;
  const own = tokenOf(tokens, task)?.opens;
  return scopes.filter((scope) => scope.id === own).flatMap(variablesOf);
}

/** The task's token; an ended task has none. */
const tokenOf = (tokens: readonly Token[], task: Task): Token | undefined =>
  tokens.find((token) => token.id === task.tokenId);

/** From the innermost scope of the token to the process; of no token the process alone. */
function* outwards(scopes: readonly Scope[], token: Token | undefined): Generator<Scope> {
  let at: number | null = token?.opens ?? token?.scope ?? 0;
  while (at !== null) {
    const scope = scopes.find(({ id }) => id === at);
    if (scope === undefined) return;
    yield scope;
    at = scope.parent;
  }
}

const variablesOf = (scope: Scope): NamedVariable[] =>
  Object.entries(scope.variables)
    .map(([name, { type, value }]) => ({ name, type, value }))
    .sort(byName);

const byName = (a: NamedVariable, b: NamedVariable): number => (a.name < b.name ? -1 : 1);
