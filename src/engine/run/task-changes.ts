import { type ActorOf, start, step } from '../../store/index.js';
import { type ProcessInstance, type Task, tasks } from '../collections.js';
import type { NewTask, TaskFacts } from '../element/instance-state.js';
import { taskNotIn } from '../errors.js';
import { taskEvent } from '../events.js';
import { type UserTaskEvent, userTaskMachine } from '../machine/user-task.js';
import type { Element } from '../model/program.js';
import type { Changes } from './changes.js';

/** Where a task's changes go. */
export interface TaskScene {
  readonly changes: Changes;
  readonly instance: ProcessInstance;
  readonly now: number;
}

/** The task after an event. @throws CONFLICT (its state does not accept it) */
export function stepTask(task: Task, event: UserTaskEvent): Task {
  const actor = step(userTaskMachine, task.actor, event);
  if (actor === undefined) throw taskNotIn(task, event.type);
  return { ...task, actor };
}

/** Writes a task, and tells of a new assignee or of whatever else is new. */
export function changeTask({ changes, instance, now }: TaskScene, before: Task, after: Task): void {
  changes.put(tasks, after);
  const { assignee } = after.actor.context;
  const assigned = assignee !== null && assignee !== before.actor.context.assignee;
  changes.event(taskEvent(assigned ? 'assigned' : 'updated', after, instance, now));
}

/** A task that the interpreter made. */
export function createTask(scene: TaskScene, element: Element, made: NewTask): void {
  const { changes, instance, now } = scene;
  const { assignee, owner } = made;
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
    actor: assignedActor(start(userTaskMachine, { assignee: null, owner }), assignee),
  };
  changes.create(tasks, created);
  changes.event(taskEvent('created', created, instance, now));
  if (created.actor.context.assignee !== null) changes.event(taskEvent('assigned', created, instance, now));
}

/** A task that a listener changed. */
export function updateTask(scene: TaskScene, task: Task, facts: TaskFacts): void {
  const { assignee, owner, ...rest } = facts;
  const actor = { ...task.actor, context: { ...task.actor.context, owner } };
  changeTask(scene, task, { ...task, ...rest, actor: assignedActor(actor, assignee) });
}

/** A task whose scope was left. */
export function endTask({ changes, instance, now }: TaskScene, task: Task, outcome: 'completed' | 'cancelled'): void {
  const completed = outcome === 'completed' && step(userTaskMachine, task.actor, { type: 'complete' });
  const ended = completed ? { ...task, actor: completed } : stepTask(task, { type: 'cancel' });
  changes.remove(tasks, task.id);
  changes.event(taskEvent(completed ? 'completed' : 'deleted', ended, instance, now));
}

type TaskActor = ActorOf<typeof userTaskMachine>;

/** The actor with this assignee; the same one where it has it already. */
function assignedActor(actor: TaskActor, assignee: string | null): TaskActor {
  if (assignee === actor.context.assignee) return actor;
  const event: UserTaskEvent =
    assignee === null || assignee === '' ? { type: 'unclaim' } : { type: 'assign', userId: assignee };
  return step(userTaskMachine, actor, event) ?? actor;
}

/** What listeners and expressions see of a task. */
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
