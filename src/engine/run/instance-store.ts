import { limitExceeded } from '../../shared/errors.js';
import { DOCUMENT_SIZE_MAX, type State } from '../../store/index.js';
import {
  bundleId,
  completedBundles,
  type InstancePart,
  instanceParts,
  largeVariables,
  type ProcessInstance,
  partId,
  processInstances,
  type SpilledVariable,
} from '../collections.js';
import { type Bundle, bundlesApart } from '../element/bundle.js';
import type { Scope, TypedValue } from '../element/instance-state.js';
import { divide, type Part } from '../element/large-scope.js';
import { VARIABLE_MAX, variableTooLarge } from '../rule/given-value.js';
import type { Changes } from './changes.js';
import { awayAfter, textOf as partText } from './instance-parts.js';
import { type LoadedInstance, type StoredVariable, variableId } from './load-instance.js';
import { dropText, piecesOf, storeText } from './stored-text.js';

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
  const { rest, bundles } = bundlesApart(loaded.state);
  const { here, parts } = divide(rest);
  const storing: Storing = { changes, state, loaded, instanceId: document.id, ids: new Set(), written: 0 };
  const { scopes, spilled } = storeScopes(storing, here.scopes);
  const stored: ProcessInstance = { ...document, state: { ...here, scopes }, spilled };
  if (parts.length > 0 || loaded.parts.size > 0 || stored.away !== undefined) storeParts(storing, stored, parts);
  for (const bundle of bundles) storeBundle(storing, bundle);
  for (const id of loaded.bundles) if (!storing.ids.has(id)) changes.remove(completedBundles, id);
  for (const id of loaded.stored.keys()) if (!storing.ids.has(id)) dropVariable(changes, state, id);
  changes.put(processInstances, stored);
  return stored;
}

interface Storing {
  readonly changes: Changes;
  readonly state: State;
  readonly loaded: LoadedInstance;
  readonly instanceId: string;
  /** Of the variables and bundles that are documents of their own. */
  readonly ids: Set<string>;
  /** How many documents they take that are written. */
  written: number;
}

/** The scopes without the variables that do not stay in their document. */
function storeScopes(storing: Storing, all: readonly Scope[]): { scopes: Scope[]; spilled: SpilledVariable[] } {
  const { changes, state, loaded, instanceId, ids } = storing;
  const kept: Kept = { left: SMALL_VARIABLES_MAX, characters: 0 };
  const spilled: SpilledVariable[] = [];
  const scopes = all.map((scope): Scope => {
    const storedAs = (name: string) =>
      loaded.stored.size === 0 ? undefined : loaded.stored.get(variableId(instanceId, scope.id, name));
    const large = largeOf(scope, kept, storedAs);
    if (large.length === 0) return scope;
    storing.written += large.reduce((sum, { text }) => sum + (text === null ? 0 : 1 + piecesOf(text)), 0);
    if (storing.written > WRITTEN_MAX) throw tooManyVariables(storing.written);
    const variables = { ...scope.variables };
    for (const { name, value, text } of large) {
      const id = variableId(instanceId, scope.id, name);
      ids.add(id);
      spilled.push({ scope: scope.id, name, ...(value.info && { info: value.info }) });
      delete variables[name];
      if (text !== null) storeVariable({ changes, state, id, instanceId }, value, text);
    }
    return { ...scope, variables };
  });
  if (kept.characters > DOCUMENT_SIZE_MAX) throw tooManySmall(kept.characters);
  return { scopes, spilled };
}

/** Writes a bundle: one that was there before was brought back only to be compensated. */
function storeBundle(storing: Storing, [bundle, ...others]: Bundle): void {
  const { changes, instanceId, ids } = storing;
  const id = bundleId(instanceId, bundle.id);
  const { scopes, spilled } = storeScopes(storing, [bundle, ...others]);
  ids.add(id);
  changes.put(completedBundles, { id, instanceId, scopes, spilled });
}

/** Writes the parts that are new or not as they were, and removes those that are no more. */
function storeParts(storing: Storing, stored: ProcessInstance, parts: readonly Part[]): void {
  const { changes, loaded, instanceId } = storing;
  const gone = new Set(loaded.parts.keys());
  for (const { within, tokens, scopes: all } of parts) {
    const [scope, token] = within[within.length - 1] ?? [0, 0];
    const id = partId(instanceId, token);
    const { scopes, spilled } = storeScopes(storing, all);
    const part: InstancePart = { id, instanceId, scope, within, tokens: [...tokens], scopes, spilled };
    gone.delete(id);
    if (loaded.parts.get(id)?.text !== partText(part)) changes.put(instanceParts, part);
  }
  for (const id of gone) changes.remove(instanceParts, id);
  const away = awayAfter({ state: stored.state, since: loaded.lastMove }, stored.away, loaded.parts.values(), parts);
  if (away === undefined) delete (stored as { away?: unknown }).away;
  else Object.assign(stored, { away });
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
