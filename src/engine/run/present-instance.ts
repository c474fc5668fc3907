import { type Action, type State, step } from '../../store/index.js';
import {
  type ProcessDefinition,
  type ProcessInstance,
  processDefinitions,
  processInstances,
  type Task,
} from '../collections.js';
import { processInstanceMachine } from '../machine/process-instance.js';

/**
 * The instance as it is by now: a sweep over its definition (all instances suspended or activated) counts from the moment it was ordered, also
 * where it has not been written to the instance yet.
 */
export function presentInstance(state: Pick<State, 'get'>, id: string): ProcessInstance | undefined {
  const instance = state.get(processInstances, id);
  if (instance === undefined || instance.endTime !== null) return instance;
  return swept(instance, state.get(processDefinitions, instance.definitionId));
}

/** The instance with its definition's last sweep taken. */
export const swept = <I extends Swept>(instance: I, definition: ProcessDefinition | undefined): I =>
  takeSweep(instance, definition)[0];

/** The same, and what this causes: it is performed when the sweep reaches the instance. */
export function takeSweep<I extends Swept>(
  instance: I,
  definition: ProcessDefinition | undefined,
): readonly [I, readonly Action[]] {
  const sweep = definition?.sweep ?? null;
  if (sweep === null || sweep.id === instance.sweep || instance.endTime !== null) return [instance, []];
  const [actor, actions] = step(processInstanceMachine, instance.actor, { type: sweep.event });
  return [{ ...instance, actor, sweep: sweep.id }, actions];
}

type Swept = Pick<ProcessInstance, 'actor' | 'sweep' | 'endTime'>;

/** The task as it is by now: a sweep over its definition counts from the moment it was ordered. */
export function presentTask(state: Pick<State, 'get'>, task: Task): Task {
  if ((state.get(processDefinitions, task.definitionId)?.sweep ?? null) === null) return task;
  const instance = presentInstance(state, task.instanceId);
  return instance === undefined ? task : { ...task, suspended: instance.actor.value === 'suspended' };
}
