import type { State } from '../../store/index.js';
import { type CompletedBundle, largeVariables, type ProcessInstance, type SpilledVariable } from '../collections.js';
import type { InstanceState, Scope, TypedValue } from '../element/instance-state.js';
import { missed, type Path, rootOf } from '../element/large-scope.js';
import { partsOn, type StoredPart, storedPart } from './instance-parts.js';
import { loadText } from './stored-text.js';

/** An instance with all of its variables in place, as the interpreter wants it. */
export interface LoadedInstance {
  readonly document: ProcessInstance;
  /** The interpreter changes it in place. */
  readonly state: InstanceState;
  /** The large variables as they are stored, by document id. */
  readonly stored: Map<string, StoredVariable>;
  /** The parts that were brought back, by document id. */
  readonly parts: Map<string, StoredPart>;
  /** Of those the tokens that have missed a migration: the run begins with it. */
  readonly followed: number[];
  /** The ids of the bundles that were brought back. */
  readonly bundles: string[];
  /** The number of its last migration or cancellation that is still to be followed; 0: there is none. */
  readonly lastMove: number;
}

/** A large variable in its place: it is read when somebody looks at it, within the decision. */
export interface StoredVariable {
  readonly variable: TypedValue;
  /** Its JSON text; null while nobody has looked. */
  readonly text: () => string | null;
}

/** Puts large variables back where they belong. */
export function rehydrate(state: Pick<State, 'get'>, document: ProcessInstance): LoadedInstance {
  const { state: whole } = document;
  const stored = new Map<string, StoredVariable>();
  const lastMove = whole.moves?.at(-1)?.n ?? 0;
  const parts = new Map<string, StoredPart>();
  const loaded: LoadedInstance = { document, state: whole, stored, parts, followed: [], bundles: [], lastMove };
  fill(state, loaded, document.state.scopes, document.spilled);
  return loaded;
}

/** Brings the tokens on these paths back to the others of their instance, where they are away. */
export function bringBack(state: Pick<State, 'get'>, loaded: LoadedInstance, paths: Iterable<Path>): void {
  const { id, state: whole } = { id: loaded.document.id, state: loaded.state };
  for (const part of partsOn(state, id, paths)) {
    if (loaded.parts.has(part.id)) continue;
    const root = rootOf(part);
    const behind = root === undefined ? [] : missed(whole, root);
    loaded.parts.set(part.id, storedPart(part, behind));
    if (root !== undefined && behind.length > 0) loaded.followed.push(root.id);
    fill(state, loaded, part.scopes, part.spilled);
    whole.tokens.push(...part.tokens);
    whole.scopes.push(...part.scopes);
  }
  // As they came to be.
  if (loaded.parts.size > 0) whole.tokens.sort((a, b) => a.id - b.id);
}

/** Bundles of what can be compensated are there again. */
export function bringBundles(loaded: LoadedInstance, state: Pick<State, 'get'>, all: readonly CompletedBundle[]): void {
  for (const bundle of all) {
    loaded.bundles.push(bundle.id);
    fill(state, loaded, bundle.scopes, bundle.spilled);
    loaded.state.scopes.push(...bundle.scopes);
  }
}

function fill(
  state: Pick<State, 'get'>,
  { document, stored }: LoadedInstance,
  all: readonly Scope[],
  spilled: readonly SpilledVariable[],
): void {
  if (spilled.length === 0) return;
  const scopes = new Map(all.map((scope) => [scope.id, scope]));
  for (const { scope, name, info } of spilled) {
    const target = scopes.get(scope);
    if (target === undefined) continue;
    const id = variableId(document.id, scope, name);
    const variable = storedVariable(state, id, info);
    stored.set(id, variable);
    target.variables[name] = variable.variable;
  }
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

/** The id of a large variable's document. */
export const variableId = (instanceId: string, scope: number, name: string): string => `${instanceId}/${scope}/${name}`;
