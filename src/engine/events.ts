import { type FeedEvent, leanOf, wholeOf } from '../store/index.js';
import {
  type Deployment,
  type ExternalTask,
  externalTasks,
  type ProcessDefinition,
  type ProcessInstance,
  processInstances,
  type Task,
  tasks,
} from './collections.js';

/** An instance as events carry it: without its tokens, here and away, and without its variables. */
export type ProcessInstanceView = Omit<ProcessInstance, 'state' | 'spilled' | 'away'>;

/** Data of a task's event, as a subscriber may select it. */
export interface TaskEventData {
  readonly task: Task;
  readonly processInstance: ProcessInstanceView;
  /** ms */
  readonly at: number;
}

export interface ProcessEventData {
  readonly processInstance: ProcessInstanceView;
  readonly at: number;
}

export type TaskEventName = 'created' | 'assigned' | 'updated' | 'completed' | 'deleted';
export type ProcessEventName = 'started' | 'suspended' | 'activated' | 'ended' | 'updated';

/** `task.deleted`: it ended without being completed. */
export function taskEvent(name: TaskEventName, task: Task, instance: ProcessInstance, at: number): FeedEvent {
  const data: LeanEventData = { task: leanOf(tasks, task), processInstance: leanView(instance), at };
  return {
    type: `task.${name}`,
    ids: {
      taskId: task.id,
      assignee: task.actor.context.assignee,
      processInstanceId: task.instanceId,
      definitionId: task.definitionId,
      definitionKey: task.definitionKey,
    },
    data,
  };
}

/** `process.ended` also tells of cancelled and failed instances; the instance's state says which. */
export function processEvent(name: ProcessEventName, instance: ProcessInstance, at: number): FeedEvent {
  const data: LeanEventData = { processInstance: leanView(instance), at };
  return {
    type: `process.${name}`,
    ids: {
      processInstanceId: instance.id,
      definitionId: instance.definitionId,
      definitionKey: instance.definitionKey,
      businessKey: instance.businessKey,
    },
    data,
  };
}

/**
 * `externalTask.opened`: a worker may take it, now or at its time; `updated`: its retries were changed, or there are none left; `ended`. Locks are not
 * told of.
 */
export const externalTaskEvent = (name: ExternalTaskEventName, task: ExternalTask, at: number): FeedEvent => ({
  type: `externalTask.${name}`,
  ids: {
    externalTaskId: task.id,
    topic: task.topic,
    processInstanceId: task.instanceId,
    definitionId: task.definitionId,
    definitionKey: task.definitionKey,
  },
  data: { externalTask: leanOf(externalTasks, task), at },
});

export type ExternalTaskEventName = 'opened' | 'updated' | 'ended';

/** Data of an event of {@link externalTaskEvent}. */
export function externalTaskEventData({ data }: FeedEvent): ExternalTaskEventData {
  const { externalTask, at } = data as { readonly externalTask: Partial<ExternalTask>; readonly at: number };
  return { externalTask: wholeOf(externalTasks, externalTask), at };
}

export interface ExternalTaskEventData {
  readonly externalTask: ExternalTask;
  /** ms */
  readonly at: number;
}

export const deploymentEvent = (name: 'created' | 'deleted', deployment: Deployment, at: number): FeedEvent => ({
  type: `deployment.${name}`,
  ids: { deploymentId: deployment.id },
  data: { deployment, at },
});

export const definitionEvent = (
  name: 'suspended' | 'activated',
  definition: ProcessDefinition,
  at: number,
): FeedEvent => ({
  type: `processDefinition.${name}`,
  ids: { definitionId: definition.id, definitionKey: definition.key },
  data: { processDefinition: definition, at },
});

/** Data of an event of {@link taskEvent}. */
export function taskEventData({ data }: FeedEvent): TaskEventData {
  const { task = {}, processInstance, at } = data as LeanEventData;
  return { task: wholeOf(tasks, task), processInstance: wholeOf(processInstances, processInstance), at };
}

/** Data of an event of {@link processEvent}. */
export function processEventData({ data }: FeedEvent): ProcessEventData {
  const { processInstance, at } = data as LeanEventData;
  return { processInstance: wholeOf(processInstances, processInstance), at };
}

/** As the feed keeps it: without what the documents' collections imply. */
interface LeanEventData {
  readonly task?: Partial<Task>;
  readonly processInstance: Partial<ProcessInstance>;
  readonly at: number;
}

/** The instance without its tokens and variables. */
function leanView(instance: ProcessInstance): Partial<ProcessInstance> {
  const view: { -readonly [name in keyof ProcessInstance]?: ProcessInstance[name] } = leanOf(
    processInstances,
    instance,
  );
  view.state = undefined as never;
  view.spilled = undefined as never;
  // As long as the instance is large: each of the many events of its tasks would carry that.
  view.away = undefined as never;
  return view;
}
