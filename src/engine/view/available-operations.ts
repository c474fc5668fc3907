import { accepts } from '../../store/index.js';
import type { ProcessInstance, Task } from '../collections.js';
import { processInstanceMachine } from '../machine/process-instance.js';
import { userTaskMachine } from '../machine/user-task.js';

/** What may be asked of the instance now. */
export const instanceOperations = ({ actor }: Pick<ProcessInstance, 'actor'>): string[] =>
  accepts(processInstanceMachine, actor)
    .filter((type) => !OF_THE_ENGINE.instance.includes(type))
    .map((type) => (type === 'modify' ? 'setVariables' : type));

/** What may be asked of the task now: nothing while its instance is suspended; nobody claims what somebody has. */
export function taskOperations({ actor, suspended }: Pick<Task, 'actor' | 'suspended'>): string[] {
  if (suspended) return [];
  const isFree = actor.context.assignee === null;
  const offered = accepts(userTaskMachine, actor).filter((type) => !OF_THE_ENGINE.task.includes(type));
  return offered.filter((type) => (type === 'claim' ? isFree : type !== 'unclaim' || !isFree));
}

/**
 * Events that nobody can ask for: the engine tells them when tokens moved, or when the task's activity was left, and no operation of the API
 * migrates instances.
 */
const OF_THE_ENGINE = { instance: ['start', 'step', 'migrate'], task: ['cancel'] };
