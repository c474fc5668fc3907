import type { State } from '../../store/index.js';
import { processDefinitions, type Task } from '../collections.js';
import { presentInstance } from '../run/present-instance.js';

/** The task as it is by now: a sweep over its definition counts from the moment it was ordered. */
export function presentTask(state: Pick<State, 'get'>, task: Task): Task {
  if ((state.get(processDefinitions, task.definitionId)?.sweep ?? null) === null) return task;
  const instance = presentInstance(state, task.instanceId);
  return instance === undefined ? task : { ...task, suspended: instance.actor.value === 'suspended' };
}
