import type { State } from '../store/index.js';
import {
  type Deployment,
  definitionModels,
  type ProcessInstance,
  type Resource,
  resources,
  type Task,
} from './collections.js';
import type { Scope, Variables } from './element/instance-state.js';
import { rehydrate } from './run/instance-store.js';
import { loadText } from './run/stored-text.js';

type Reader = Pick<State, 'get'>;

/** The BPMN text of a definition, as it was deployed; null where there is none. */
export function definitionXml(state: Reader, definitionId: string): string | null {
  const model = state.get(definitionModels, definitionId);
  const resource = model && state.get(resources, model.resourceId);
  return resource === undefined ? null : resourceText(state, resource);
}

/** The files of a deployment, in their order. */
export const deployedResources = (state: Reader, deployment: Deployment): Resource[] =>
  deployment.resources.flatMap(({ id }) => state.get(resources, id) ?? []);

/** The text of a deployed file. */
export const resourceText = (state: Reader, resource: Resource): string => loadText(state, resource.id, resource);

/** The variables of the process scope, large ones included. */
export const processVariables = (state: Reader, instance: ProcessInstance): Variables =>
  scopesOf(state, instance).find((scope) => scope.parent === null)?.variables ?? {};

/** Variables that are seen from a place (inner ones hide outer ones), and those of its own. */
export interface SeenVariables {
  readonly visible: Variables;
  readonly local: Variables;
}

/** The variables of a task; one that has ended sees those of the process. */
export const taskVariables = (state: Reader, instance: ProcessInstance, task: Task): SeenVariables =>
  tokenVariables(state, instance, task.tokenId);

/** The variables of the activity that a token is in. */
export function tokenVariables(state: Reader, instance: ProcessInstance, tokenId: number): SeenVariables {
  const scopes = new Map(scopesOf(state, instance).map((scope) => [scope.id, scope]));
  const token = instance.state.tokens.find(({ id }) => id === tokenId);
  const local = token?.opens === undefined ? {} : (scopes.get(token.opens)?.variables ?? {});
  const chain: Variables[] = [local];
  let scope = scopes.get(token?.scope ?? 0);
  while (scope !== undefined) {
    chain.unshift(scope.variables);
    scope = scope.parent === null ? undefined : scopes.get(scope.parent);
  }
  return { visible: Object.assign({}, ...chain) as Variables, local };
}

const scopesOf = (state: Reader, instance: ProcessInstance): readonly Scope[] =>
  rehydrate(state, instance).state.scopes;
