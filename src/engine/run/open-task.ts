import type { Asking, CommandContext, Decision, State } from '../../store/index.js';
import { type ProcessInstance, type Task, tasks } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { instanceNotFound, instanceNotIn, taskNotFound } from '../errors.js';
import type { UserTaskEvent } from '../machine/user-task.js';
import type { Listener } from '../model/program.js';
import { requireTaskRight, type TaskRight } from '../rule/rights.js';
import { Changes } from './changes.js';
import { presentInstance } from './present-instance.js';
import { type RunScene, runInstance } from './run-instance.js';
import { performOnTask, stepTask } from './task-changes.js';

/** An open task with its instance. */
export interface OpenTask {
  readonly task: Task;
  readonly instance: ProcessInstance;
}

/** The task, whose instance is active, and which the caller may treat so. @throws NOT_FOUND, FORBIDDEN, CONFLICT (suspended) */
export function openTask(state: State, taskId: string, { caller }: CommandContext, right: TaskRight): OpenTask {
  const task = state.get(tasks, taskId);
  if (task === undefined) throw taskNotFound(taskId);
  requireTaskRight(caller, task, right);
  const instance = presentInstance(state, task.instanceId);
  if (instance === undefined) throw instanceNotFound(task.instanceId);
  if (instance.actor.value !== 'active') throw instanceNotIn(instance, `${right.wanted} a task of`);
  return { task, instance };
}

/** The mailbox of a command on a task: its instance's. */
export const mailboxOfTask = (state: State, { taskId }: { readonly taskId: string }): string | undefined =>
  state.get(tasks, taskId)?.instanceId;

export const sceneOf = (services: EngineServices, state: State, context: CommandContext): RunScene => ({
  services,
  state,
  changes: new Changes(),
  context,
});

/** A change of who works on a task. */
export interface Assignment {
  readonly taskId: string;
  readonly right: TaskRight;
  /** The operation's name. */
  readonly command: string;
  readonly event: UserTaskEvent;
}

/** Changes who works on a task, and lets the model's listeners know. Answers the task as it is then. @throws NOT_FOUND, FORBIDDEN, CONFLICT */
export function assignTo(scene: RunScene, { taskId, right, command, event }: Assignment): Decision<Task> | Asking {
  const { state, changes, services, context } = scene;
  const { task, instance } = openTask(state, taskId, context, right);
  const [next, actions] = stepTask(task, event);
  if (actions.length === 0) return { answer: task };
  performOnTask({ changes, instance, now: state.now }, next, actions);
  const heard = next.actor.context.assignee === task.actor.context.assignee ? 'update' : 'assignment';
  const { elements } = services.programs.of(state, task.definitionId);
  // An assignment is told of as an update, too.
  const listens = ({ on, event: wanted }: Listener) => on === 'task' && (wanted === 'update' || wanted === heard);
  if (elements[task.element]?.listeners.some(listens)) {
    const end = runInstance(scene, {
      command,
      instance,
      event: 'step',
      input: { type: 'taskEvent', taskId, event: heard },
    });
    if ('ask' in end) return end;
  }
  return changes.decision(changes.current(state, tasks, taskId) ?? next);
}
