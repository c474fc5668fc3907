import { limitExceeded } from '../../shared/errors.js';
import { DOCUMENT_SIZE_MAX, type State } from '../../store/index.js';
import { largeVariables, type ProcessInstance, processInstances, type SpilledVariable } from '../collections.js';
import type { InstanceState, Scope, TypedValue } from '../element/instance-state.js';
import { VARIABLE_MAX, variableTooLarge } from '../rule/given-value.js';
import type { Changes } from './changes.js';
import { dropText, loadText, piecesOf, storeText } from './stored-text.js';

/** A variable up to this size, in characters of JSON, may stay in the instance's document. */
const SMALL_VARIABLE_MAX = 1_024;
/** As long as all of them together are no more than this. */
const SMALL_VARIABLES_MAX = 16_384;

/** How many variables that do not stay in the instance's document are written at once. */
const WRITTEN_MAX = 400;

/** Room for values in the instance's document. */
interface Kept {
  /** How many characters of values may still stay. */
  left: number;
  /** Characters of the document that those take which stay. */
  characters: number;
}

/** Characters of JSON around a name, a type and a value. */
const AROUND_VARIABLE = '"":{"type":"","value":},'.length;

/** An instance with all of its variables in place, as the interpreter wants it. */
export interface LoadedInstance {
  readonly document: ProcessInstance;
  /** The interpreter changes it in place. */
  readonly state: InstanceState;
  /** The large variables as they are stored, by document id. */
  readonly stored: ReadonlyMap<string, StoredVariable>;
}

/** A large variable in its place: it is read when somebody looks at it, within the decision. */
interface StoredVariable {
  readonly variable: TypedValue;
  /** Its JSON text; null while nobody has looked. */
  readonly text: () => string | null;
}

/** Puts large variables back where they belong. */
export function rehydrate(state: Pick<State, 'get'>, document: ProcessInstance): LoadedInstance {
  const stored = new Map<string, StoredVariable>();
  if (document.spilled.length === 0) return { document, state: document.state, stored };
  const scopes = new Map(document.state.scopes.map((scope) => [scope.id, scope]));
  for (const { scope, name, info } of document.spilled) {
    const target = scopes.get(scope);
    if (target === undefined) continue;
    const id = variableId(document.id, scope, name);
    const variable = storedVariable(state, id, info);
    stored.set(id, variable);
    target.variables[name] = variable.variable;
  }
  return { document, state: document.state, stored };
}

function storedVariable(state: Pick<State, 'get'>, id: string, info: TypedValue['info']): StoredVariable {
  let read: { readonly type: TypedValue['type']; readonly text: string; readonly value: unknown } | undefined;
  const seen = () => {
    if (read === undefined) {
      const large = state.get(largeVariables, id);
      const text = large === undefined ? 'null' : loadText(state, id, large);
      read = { type: large?.type ?? 'Null', text, value: JSON.parse(text) };
    }
    return read;
  };
  const variable: TypedValue = {
    get type() {
      return seen().type;
    },
    get value() {
      return seen().value;
    },
  };
  return {
    variable: info === undefined ? variable : Object.assign(variable, { info }),
    text: () => read?.text ?? null,
  };
}

/**
 * Writes the instance: large variables as documents of their own, only those that changed; `document` is what else it says.
 * @throws LIMIT_EXCEEDED (a variable beyond 4,000,000 characters; too many that are large)
 */
export function storeInstance(
  changes: Changes,
  state: State,
  loaded: LoadedInstance,
  document: ProcessInstance,
): ProcessInstance {
  const kept: Kept = { left: SMALL_VARIABLES_MAX, characters: 0 };
  const spilled: SpilledVariable[] = [];
  const ids = new Set<string>();
  let written = 0;
  const scopes = loaded.state.scopes.map((scope): Scope => {
    const storedAs = (name: string) =>
      loaded.stored.size === 0 ? undefined : loaded.stored.get(variableId(document.id, scope.id, name));
    const large = largeOf(scope, kept, storedAs);
    if (large.length === 0) return scope;
    written += large.reduce((sum, { text }) => sum + (text === null ? 0 : 1 + piecesOf(text)), 0);
    if (written > WRITTEN_MAX) throw tooManyVariables(written);
    const variables = { ...scope.variables };
    for (const { name, value, text } of large) {
      const id = variableId(document.id, scope.id, name);
      ids.add(id);
      spilled.push({ scope: scope.id, name, ...(value.info && { info: value.info }) });
      delete variables[name];
      if (text !== null) storeVariable({ changes, state, id, instanceId: document.id }, value, text);
    }
    return { ...scope, variables };
  });
  if (kept.characters > DOCUMENT_SIZE_MAX) throw tooManySmall(kept.characters);
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

/** A variable that does not stay in the instance's document. `text`: the JSON text of its value; null: it is stored so already. */
interface LargeOne {
  readonly name: string;
  readonly value: TypedValue;
  readonly text: string | null;
}

function largeOf(scope: Scope, kept: Kept, storedAs: (name: string) => StoredVariable | undefined): LargeOne[] {
  const large: LargeOne[] = [];
  for (const [name, value] of Object.entries(scope.variables)) {
    const stored = storedAs(name);
    if (stored?.variable === value && stored.text() === null) {
      large.push({ name, value, text: null }); // Nobody has looked at it: nor does this.
      continue;
    }
    const text = textOf(name, value);
    if (staysSmall(text, kept)) {
      kept.characters += name.length + value.type.length + text.length + AROUND_VARIABLE;
      continue;
    }
    large.push({ name, value, text: stored !== undefined && isSame(stored, value, text) ? null : text });
  }
  return large;
}

/** @throws LIMIT_EXCEEDED */
function textOf(name: string, { value }: TypedValue): string {
  const text = JSON.stringify(value);
  if (text.length > VARIABLE_MAX) throw variableTooLarge(name, text.length);
  return text;
}

function staysSmall(text: string, kept: Kept): boolean {
  if (text.length > SMALL_VARIABLE_MAX || text.length > kept.left) return false;
  kept.left -= text.length;
  return true;
}

const tooManySmall = (found: number) =>
  limitExceeded(
    `expected at most ${DOCUMENT_SIZE_MAX} characters of small variables of a process instance, with their names and types, but found ${found}`,
    { reason: 'too_many_variables' },
  );

const isSame = (stored: StoredVariable, { type }: TypedValue, text: string): boolean =>
  stored.text() === text && stored.variable.type === type;

const variableId = (instanceId: string, scope: number, name: string): string => `${instanceId}/${scope}/${name}`;

const tooManyVariables = (found: number) =>
  limitExceeded(
    `expected at most ${WRITTEN_MAX} variables to be written at once whose JSON has more than ${SMALL_VARIABLE_MAX} characters, or which have more than ${SMALL_VARIABLES_MAX} together (one of more than 40000 counts as several), but found ${found}`,
    { reason: 'too_many_variables' },
  );

/** The names of a scope's own variables, large ones included. */
export function namesIn({ state, spilled }: ProcessInstance, scopeId: number | undefined): string[] {
  const scope = state.scopes.find(({ id }) => id === scopeId);
  return [...Object.keys(scope?.variables ?? {}), ...spilled.filter((it) => it.scope === scopeId).map((it) => it.name)];
}
