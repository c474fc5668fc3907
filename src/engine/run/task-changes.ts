import { type Action, type Performers, perform, type State, start, step } from '../../store/index.js';
import { type ProcessInstance, type Task, tasks } from '../collections.js';
import type { NewTask, TaskFacts } from '../element/instance-state.js';
import type { Path } from '../element/large-scope.js';
import type { EngineServices } from '../engine-services.js';
import { taskNotIn } from '../errors.js';
import { type TaskEventName, taskEvent } from '../events.js';
import { type UserTaskAction, type UserTaskEvent, userTaskMachine } from '../machine/user-task.js';
import type { Element, Listener } from '../model/program.js';
import type { Changes } from './changes.js';

/** Where a task's changes go. */
interface TaskScene {
  readonly changes: Changes;
  readonly instance: ProcessInstance;
  readonly now: number;
}

/** Takes a task through an event, with all that this causes; gives it as it is then. @throws CONFLICT (its state does not accept it) */
export function moveTask(scene: TaskScene, before: Task, event: UserTaskEvent): Task {
  const [task, actions] = stepTask(before, event);
  performOnTask(scene, task, actions);
  return task;
}

/** The task as the event would leave it, and what this would cause. @throws CONFLICT (its state does not accept it) */
export function stepTask(task: Task, event: UserTaskEvent): readonly [Task, readonly Action[]] {
  const [actor, actions] = step(userTaskMachine, task.actor, event, () => taskNotIn(task, event.type));
  return [{ ...task, actor }, actions];
}

/** Whether the model has listeners of the task to one of these events. */
export const hasListeners = (
  { programs }: EngineServices,
  state: State,
  { definitionId, element }: Task,
  ...events: readonly Listener['event'][]
): boolean =>
  programs.of(state, definitionId).elements[element]?.listeners.some(({ event }) => events.includes(event)) ?? false;

/** Turns what a task's transition causes into documents and events. `task`: as it is after it. */
export function performOnTask({ changes, instance, now }: TaskScene, task: Task, actions: readonly Action[]): void {
  perform(taskPerformers, actions, { changes, instance, now, task });
}

interface PerformedOn extends TaskScene {
  readonly task: Task;
}

const tell =
  (name: TaskEventName) =>
  ({ changes, task, instance, now }: PerformedOn) =>
    changes.event(taskEvent(name, task, instance, now));

/** One performer for each action that the task's machine names. */
export const taskPerformers: Performers<UserTaskAction, PerformedOn> = {
  store: ({ changes, task }) => changes.put(tasks, task),
  remove: ({ changes, task }) => changes.remove(tasks, task.id),
  tellAssigned: tell('assigned'),
  tellUpdated: tell('updated'),
  tellCompleted: tell('completed'),
  tellDeleted: tell('deleted'),
};

/** A task that the interpreter made. */
export function createTask(scene: TaskScene, element: Element, made: NewTask, within?: Path): void {
  const { changes, instance, now } = scene;
  const { assignee, owner } = made;
  const unassigned = start(userTaskMachine, { assignee: null, owner });
  const [actor, actions] = assignee
    ? step(userTaskMachine, unassigned, { type: 'assign', userId: assignee })
    : [unassigned, []];
  // Field by field: copying the rest of an object costs more than all else here.
  const created: Task = {
    id: made.id,
    instanceId: instance.id,
    definitionId: instance.definitionId,
    definitionKey: instance.definitionKey,
    businessKey: instance.businessKey,
    elementId: element.id,
    element: made.element,
    tokenId: made.tokenId,
    activity: made.activity,
    executionId: `${instance.id}:${made.tokenId}`,
    ...(within && { within }),
    name: made.name,
    description: made.description,
    due: made.due,
    followUp: made.followUp,
    priority: made.priority,
    formKey: made.formKey,
    candidateUsers: made.candidateUsers,
    candidateGroups: made.candidateGroups,
    created: now,
    suspended: instance.actor.value === 'suspended',
    actor,
  };
  changes.create(tasks, created);
  changes.event(taskEvent('created', created, instance, now));
  performOnTask(scene, created, actions);
}

/** A task that a listener changed. */
export function updateTask(scene: TaskScene, task: Task, { assignee, owner, ...facts }: TaskFacts): void {
  moveTask(scene, { ...task, ...facts }, { type: 'change', userId: assignee, owner });
}

/** Facts of a task, for listeners and expressions. */
export function factsOf(task: Task): TaskFacts {
  const { name, description, candidateUsers, candidateGroups, due, followUp, priority, formKey, created } = task;
  const { assignee, owner } = task.actor.context;
  return {
    name,
    description,
    candidateUsers,
    candidateGroups,
    due,
    followUp,
    priority,
    formKey,
    created,
    assignee,
    owner,
  };
}
