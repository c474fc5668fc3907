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
