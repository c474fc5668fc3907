import type { State } from '../../store/documents.js';
import type { ProcessInstance, Task } from '../collections.js';
import type { Scope, Variables } from '../element/instance-state.js';
import { rehydrate } from './load-instance.js';
import { type Placed, variablesAround } from './waiting-scopes.js';

// Variables as they are seen in an instance: of the process, and from its tasks.

type Reader = Pick<State, 'get'>;

/** The variables of the process scope, large ones included. */
export const processVariables = (state: Reader, instance: ProcessInstance): Variables =>
  scopesOf(state, instance).find((scope) => scope.parent === null)?.variables ?? {};

/** The variables of one scope of an instance that goes on. */
export interface ScopedVariables {
  /** 0 for the process; else the number of its activity instance. */
  readonly scopeId: number;
  /** The token that has opened it; null: of the process. */
  readonly tokenId: number | null;
  readonly variables: Variables;
  /** Names of those that are a user task's. */
  readonly ofTask: readonly string[];
}

/** The variables of each scope of an instance, the process first; not of what is stored apart, or is kept for a compensation. */
export function scopedVariables(state: Reader, instance: ProcessInstance): ScopedVariables[] {
  const { scopes, tokens } = rehydrate(state, instance).state;
  return scopes.flatMap(({ id: scopeId, parent, variables, ofTask = [], kept, isBundle, abandoned }) => {
    const opener = tokens.find(({ opens }) => opens === scopeId)?.id;
    const isOpen = parent === null || (opener !== undefined && !kept && !isBundle && abandoned === undefined);
    return isOpen ? [{ scopeId, tokenId: opener ?? null, variables, ofTask }] : [];
  });
}

/** Variables that are seen from a place (inner ones hide outer ones), and those of its own. */
interface SeenVariables {
  readonly visible: Variables;
  readonly local: Variables;
}

/** The variables of a task; one that has ended sees those of the process. */
export const taskVariables = (state: Reader, instance: ProcessInstance, task: Task): SeenVariables =>
  tokenVariables(state, instance, task);

/** The variables of the activity that a token is in. */
export function tokenVariables(state: Reader, instance: ProcessInstance, { tokenId, within }: Placed): SeenVariables {
  const { own: local = {}, around } = variablesAround(state, instance, { tokenId, within });
  return { visible: Object.assign({}, ...around.toReversed(), local) as Variables, local };
}

const scopesOf = (state: Reader, instance: ProcessInstance): readonly Scope[] =>
  rehydrate(state, instance).state.scopes;
