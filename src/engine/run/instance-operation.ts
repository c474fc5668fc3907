import { type CommandContext, type Operation, operation, type State } from '../../store/index.js';
import { type ProcessInstance, type Task, tasks } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { instanceNotFound, instanceNotIn, taskNotFound } from '../errors.js';
import { requireTaskRight, type TaskRight } from '../rule/rights.js';
import { Changes } from './changes.js';
import { presentInstance } from './present-instance.js';
import type { RunScene } from './run-instance.js';

/**
 * How many documents one decision on an instance may read and write: all that hangs on its tokens, at once, so that nobody sees half of it.
 * The instance's own document, which names each of them, has room for some 5,000.
 */
const INSTANCE_LIMITS = { reads: 10_000, writes: 10_000 } as const;

/** An operation on one instance, and on whatever hangs on it. */
export const instanceOperation = <I, A>(
  name: string,
  decide: Operation<I, A>['decide'],
  mailbox: NonNullable<Operation<I, A>['mailbox']>,
): Operation<I, A> => ({ ...operation(name, decide, mailbox), limits: INSTANCE_LIMITS });

/** An operation that may start an instance; it goes through no mailbox, for nobody knows the instance yet. */
export const startOperation = <I, A>(name: string, decide: Operation<I, A>['decide']): Operation<I, A> => ({
  ...operation(name, decide),
  limits: INSTANCE_LIMITS,
});

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
