import { limitExceeded } from '../../shared/errors.js';
import type { State } from '../../store/index.js';
import { largeVariables, type ProcessInstance, processInstances, type SpilledVariable } from '../collections.js';
import type { InstanceState, Scope, TypedValue } from '../element/instance-state.js';
import type { Changes } from './changes.js';
import { dropText, loadText, storeText } from './stored-text.js';

/** A variable up to this size, in characters of JSON, may stay in the instance's document. */
export const SMALL_VARIABLE_MAX = 1_024;
/** As long as all of them together are no more than this. */
export const SMALL_VARIABLES_MAX = 16_384;
/** The largest variable, in characters of JSON. */
export const VARIABLE_MAX = 4_000_000;

/** An instance with all of its variables in place, as the interpreter wants it. */
export interface LoadedInstance {
  readonly document: ProcessInstance;
  /** The interpreter changes it in place. */
  readonly state: InstanceState;
  /** The large variables as they are stored, by document id. */
  readonly stored: ReadonlyMap<string, string>;
}

/** Puts large variables back where they belong. */
export function rehydrate(state: Pick<State, 'get'>, document: ProcessInstance): LoadedInstance {
  const stored = new Map<string, string>();
  if (document.spilled.length === 0) return { document, state: document.state, stored };
  const scopes = new Map(document.state.scopes.map((scope) => [scope.id, scope]));
  for (const { scope, name } of document.spilled) {
    const id = variableId(document.id, scope, name);
    const large = state.get(largeVariables, id);
    const target = scopes.get(scope);
    if (large === undefined || target === undefined) continue;
    const text = loadText(state, id, large);
    stored.set(id, text);
    target.variables[name] = { type: large.type, value: JSON.parse(text) };
  }
  return { document, state: document.state, stored };
}

/**
 * Writes the instance: large variables as documents of their own, only those that changed; `document` is what else it says.
 * @throws LIMIT_EXCEEDED (a variable beyond 4,000,000 characters)
 */
export function storeInstance(
  changes: Changes,
  state: State,
  loaded: LoadedInstance,
  document: ProcessInstance,
): ProcessInstance {
  const kept = { left: SMALL_VARIABLES_MAX };
  const spilled: SpilledVariable[] = [];
  const ids = new Set<string>();
  const scopes = loaded.state.scopes.map((scope): Scope => {
    const large = largeOf(scope, kept);
    if (large.length === 0) return scope;
    const variables = { ...scope.variables };
    for (const [name, value, text] of large) {
      const id = variableId(document.id, scope.id, name);
      ids.add(id);
      spilled.push({ scope: scope.id, name });
      delete variables[name];
      if (loaded.stored.get(id) !== text) storeVariable({ changes, state, id, instanceId: document.id }, value, text);
    }
    return { ...scope, variables };
  });
  for (const id of loaded.stored.keys()) if (!ids.has(id)) dropVariable(changes, state, id);
  const stored = { ...document, state: { ...loaded.state, scopes }, spilled };
  changes.put(processInstances, stored);
  return stored;
}

/** Removes a large variable with its pieces. */
export function dropVariable(changes: Changes, state: Pick<State, 'get'>, id: string): void {
  const large = state.get(largeVariables, id);
  if (large !== undefined) dropText(changes, id, large);
  changes.remove(largeVariables, id);
}

interface VariablePlace {
  readonly changes: Changes;
  readonly state: State;
  readonly id: string;
  readonly instanceId: string;
}

function storeVariable({ changes, state, id, instanceId }: VariablePlace, value: TypedValue, text: string): void {
  dropVariable(changes, state, id);
  changes.put(largeVariables, { id, instanceId, type: value.type, ...storeText(changes, id, text) });
}

/** The variables of a scope that do not stay in the instance's document, with their value's JSON. */
function largeOf(scope: Scope, kept: { left: number }): [string, TypedValue, string][] {
  const large: [string, TypedValue, string][] = [];
  for (const [name, value] of Object.entries(scope.variables)) {
    const text = JSON.stringify(value.value);
    if (text.length > VARIABLE_MAX) throw variableTooLarge(name, text.length);
    if (text.length <= SMALL_VARIABLE_MAX && text.length <= kept.left) kept.left -= text.length;
    else large.push([name, value, text]);
  }
  return large;
}

const variableId = (instanceId: string, scope: number, name: string): string => `${instanceId}/${scope}/${name}`;

const variableTooLarge = (name: string, found: number) =>
  limitExceeded(
    `expected at most ${VARIABLE_MAX} characters of JSON as the value of variable '${name}', but found ${found}`,
    { reason: 'variable_too_large', resourceId: name },
  );
