import type { GraphQLResolveInfo } from 'graphql';
import {
  type ProcessInstance,
  presentInstance,
  presentTask,
  processDefinitions,
  swept,
  type Task,
  tasks,
} from '../../engine/index.js';
import type { ApiContext } from '../api-context.js';
import type { InstanceView, TaskView } from '../views.js';

/** The instance as it is now; null when there is none. */
export const instanceNow = ({ reading }: ApiContext, id: string): InstanceView | null =>
  presentInstance(reading, id) ?? null;

/** The open task as it is now; null when there is none. */
export function taskNow({ reading }: ApiContext, id: string): TaskView | null {
  const task = reading.get(tasks, id);
  return task === undefined ? null : presentTask(reading, task);
}

/** An instance of a list, with what was ordered for all instances of its definition; nothing where that is damaged. */
export const listedInstance = (context: ApiContext, info: GraphQLResolveInfo) =>
  context.leavingOut(
    info,
    (instance: ProcessInstance): InstanceView =>
      swept(instance, context.find(processDefinitions, instance.definitionId)),
  );

/** A task of a list, with what was ordered for all instances of its definition; nothing where that is damaged. */
export const listedTask = (context: ApiContext, info: GraphQLResolveInfo) =>
  context.leavingOut(info, (task: Task): TaskView => presentTask(context.reading, task));
