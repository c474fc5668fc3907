import { accepts } from '../../store/index.js';
import type { ProcessInstance, Task } from '../collections.js';
import { processInstanceMachine } from '../machine/process-instance.js';
import { userTaskMachine } from '../machine/user-task.js';

/** The events that the instance accepts now. */
export const instanceOperations = ({ actor }: Pick<ProcessInstance, 'actor'>): string[] =>
  accepts(processInstanceMachine, actor);

/** The events that the task accepts now: none while its instance is suspended. */
export const taskOperations = ({ actor, suspended }: Pick<Task, 'actor' | 'suspended'>): string[] =>
  suspended ? [] : accepts(userTaskMachine, actor);
