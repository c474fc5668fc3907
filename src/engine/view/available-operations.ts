import { accepts } from '../../store/index.js';
import type { ProcessInstance, Task } from '../collections.js';
import { processInstanceMachine } from '../machine/process-instance.js';
import { userTaskMachine } from '../machine/user-task.js';

export type InstanceOperation = 'suspend' | 'activate' | 'cancel' | 'setVariables';
export type TaskOperation = 'claim' | 'unclaim' | 'assign' | 'delegate' | 'resolve' | 'complete' | 'setVariables';

/** Events of the machines that somebody can ask for, and what they are called then; the others are told by the engine. */
const OF_INSTANCES: Readonly<Record<string, InstanceOperation>> = {
  suspend: 'suspend',
  activate: 'activate',
  cancel: 'cancel',
  modify: 'setVariables',
};
const OF_TASKS: Readonly<Record<string, TaskOperation>> = {
  claim: 'claim',
  unclaim: 'unclaim',
  assign: 'assign',
  delegate: 'delegate',
  resolve: 'resolve',
  complete: 'complete',
  setVariables: 'setVariables',
};

/** Operations that the instance takes now. */
export const instanceOperations = ({ actor }: Pick<ProcessInstance, 'actor'>): InstanceOperation[] =>
  accepts(processInstanceMachine, actor).flatMap((type) => OF_INSTANCES[type] ?? []);

/** Operations that the task takes now: none while its instance is suspended; nobody claims what somebody has. */
export function taskOperations({ actor, suspended }: Pick<Task, 'actor' | 'suspended'>): TaskOperation[] {
  if (suspended) return [];
  const isFree = actor.context.assignee === null;
  const offered = accepts(userTaskMachine, actor).flatMap((type) => OF_TASKS[type] ?? []);
  return offered.filter((type) => (type === 'claim' ? isFree : type !== 'unclaim' || !isFree));
}
