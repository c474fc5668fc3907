import { accepts, type State } from '../store/index.js';
import {
  type DecisionDefinition,
  type Deployment,
  decisionDefinitions,
  definitionModels,
  type ExternalTask,
  type ProcessDefinition,
  type ProcessInstance,
  processDefinitions,
  type Resource,
  resources,
  type Task,
} from './collections.js';
import { externalOf } from './element/external-task.js';
import { externalTaskMachine } from './machine/external-task.js';
import { processInstanceMachine } from './machine/process-instance.js';
import { userTaskMachine } from './machine/user-task.js';
import type { Program } from './model/program.js';
import type { ProgramStore } from './program-store.js';
import { partsOf } from './run/instance-parts.js';
import { loadText } from './run/stored-text.js';
import { type RunningActivity, runningActivities } from './view/activity-tree.js';

type Reader = Pick<State, 'get'>;

/** The BPMN text of a definition, as it was deployed; null where there is none. */
export function definitionXml(state: Reader, definitionId: string): string | null {
  const model = state.get(definitionModels, definitionId);
  const resource = model && state.get(resources, model.resourceId);
  return resource === undefined ? null : resourceText(state, resource);
}

/** The DMN text of a decision's file, as it was deployed; null where there is none. */
export function decisionXml(state: Reader, definitionId: string): string | null {
  const definition = state.get(decisionDefinitions, definitionId);
  const resource = definition && state.get(resources, `${definition.deploymentId}/${definition.resourceName}`);
  return resource === undefined ? null : resourceText(state, resource);
}

/** The decision of that name; undefined when there is none, it is being deleted, or neither id nor key is given. */
export function findDecisionDefinition(
  state: Pick<State, 'get' | 'find'>,
  { id, key, version }: DefinitionName,
): DecisionDefinition | undefined {
  const found = (): DecisionDefinition | undefined => {
    if (id != null) return state.get(decisionDefinitions, id);
    if (key == null) return undefined;
    if (version != null) return state.find(decisionDefinitions, 'key', [key, -version])[0];
    return state.find(decisionDefinitions, 'latest', [1, key])[0];
  };
  const definition = found();
  return definition?.deleting ? undefined : definition;
}

/** The files of a deployment, in their order. */
export const deployedResources = (state: Reader, deployment: Deployment): Resource[] =>
  deployment.resources.flatMap(({ id }) => state.get(resources, id) ?? []);

/** The text of a deployed file. */
export const resourceText = (state: Reader, resource: Resource): string => loadText(state, resource.id, resource);

/** Running activities of an instance, also where its tokens are stored apart. */
export function activitiesIn(
  state: Pick<State, 'get' | 'range'>,
  { id, away, state: { tokens, scopes } }: ProcessInstance,
  program: Program,
): RunningActivity[] {
  const parts = away === undefined ? [] : [...partsOf(state, id)];
  const bodies = [...scopes, ...parts.flatMap((part) => part.scopes)].flatMap((scope): [number, number][] =>
    scope.repeats === undefined ? [] : [[scope.id, scope.element]],
  );
  const all = [...tokens, ...parts.flatMap((part) => part.tokens)];
  return runningActivities(program, id, all, new Map(bodies));
}

/** How a definition is named: by its id; by key and version, or by key alone for the latest. */
export interface DefinitionName {
  readonly id?: string | null;
  readonly key?: string | null;
  readonly version?: number | null;
}

/** The definition of that name; undefined when there is none, it is being deleted, or neither id nor key is given. */
export function findDefinition(
  state: Pick<State, 'get' | 'find'>,
  name: DefinitionName,
): ProcessDefinition | undefined {
  const definition = named(state, name);
  return definition?.deleting ? undefined : definition;
}

function named(
  state: Pick<State, 'get' | 'find'>,
  { id, key, version }: DefinitionName,
): ProcessDefinition | undefined {
  if (id != null) return state.get(processDefinitions, id);
  if (key == null) return undefined;
  if (version != null) return state.find(processDefinitions, 'key', [key, -version])[0];
  return state.find(processDefinitions, 'latest', [1, key])[0];
}

type InstanceOperation = 'suspend' | 'activate' | 'cancel' | 'migrate' | 'setVariables' | 'modify';
type TaskOperation =
  | 'claim'
  | 'unclaim'
  | 'assign'
  | 'delegate'
  | 'resolve'
  | 'complete'
  | 'setVariables'
  | 'update'
  | 'bpmnError'
  | 'escalation';

/** Events of the machines that somebody can ask for, and what they are called then; the others are told by the engine. */
const OF_INSTANCES: Readonly<Record<string, readonly InstanceOperation[]>> = {
  suspend: ['suspend'],
  activate: ['activate'],
  cancel: ['cancel'],
  migrate: ['migrate'],
  modify: ['setVariables', 'modify'],
};
const OF_TASKS: Readonly<Record<string, readonly TaskOperation[]>> = {
  claim: ['claim'],
  unclaim: ['unclaim'],
  assign: ['assign'],
  delegate: ['delegate'],
  resolve: ['resolve'],
  complete: ['complete'],
  change: ['update', 'bpmnError', 'escalation'],
  setVariables: ['setVariables'],
};

/** Operations that the instance takes now. */
export const instanceOperations = ({ actor }: Pick<ProcessInstance, 'actor'>): InstanceOperation[] =>
  accepts(processInstanceMachine, actor).flatMap((type) => OF_INSTANCES[type] ?? []);

/** Operations that the task takes now: while its instance is suspended variables are set alone; nobody claims what somebody has. */
export function taskOperations({ actor, suspended }: Pick<Task, 'actor' | 'suspended'>): TaskOperation[] {
  if (suspended) return ['setVariables'];
  const isFree = actor.context.assignee === null;
  const offered = accepts(userTaskMachine, actor).flatMap((type) => OF_TASKS[type] ?? []);
  return offered.filter((type) => (type === 'claim' ? isFree : type !== 'unclaim' || !isFree));
}

/** The operations of the API on an external task, by the names of its fields. */
type ExternalTaskOperation =
  | 'fetchAndLock'
  | 'extendExternalTaskLock'
  | 'unlockExternalTask'
  | 'completeExternalTask'
  | 'externalTaskBpmnError'
  | 'failExternalTask'
  | 'setExternalTaskRetries';

const OF_EXTERNAL_TASKS: Readonly<Record<string, readonly ExternalTaskOperation[]>> = {
  lock: ['fetchAndLock'],
  extend: ['extendExternalTaskLock'],
  unlock: ['unlockExternalTask'],
  complete: ['completeExternalTask', 'externalTaskBpmnError'],
  fail: ['failExternalTask'],
  setRetries: ['setExternalTaskRetries'],
};

/**
 * Operations that the external task takes now, by the machine's clock: a lock that has ended is not extended, and who has it may still end it. While its
 * instance is suspended, it is unlocked and given new retries alone.
 */
export function externalTaskOperations(
  { actor, suspended, lock, notBefore }: ExternalTask,
  now: number,
): ExternalTaskOperation[] {
  const isLocked = lock !== null && lock.until > now;
  const isFetched = !isLocked && (notBefore ?? 0) <= now;
  return accepts(externalTaskMachine, actor)
    .flatMap((type) => OF_EXTERNAL_TASKS[type] ?? [])
    .filter((name) => {
      if (name === 'setExternalTaskRetries' || name === 'unlockExternalTask') return true;
      if (name === 'fetchAndLock') return isFetched && !suspended;
      return !suspended && (name !== 'extendExternalTaskLock' || isLocked);
    });
}

/** The `camunda:properties` of an external task's activity. */
export function externalTaskProperties(
  programs: ProgramStore,
  state: Reader,
  { definitionId, element }: ExternalTask,
): Readonly<Record<string, string>> {
  const found = programs.find(state, definitionId)?.elements[element];
  return (found === undefined ? undefined : externalOf(found)?.properties) ?? {};
}
