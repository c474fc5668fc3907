import {
  processDefinitions,
  processInstances,
  type Task,
  type TaskComment,
  taskComments,
  taskLocalVariables,
  taskOperations,
  taskVariables,
} from '../../engine/index.js';
import { refuse, ServiceError } from '../../shared/errors.js';
import { PAGE_MAX } from '../../store/index.js';
import type { TaskResolvers } from '../generated/schema.js';
import { documentsOf, equal } from '../list-field.js';
import { instanceNow } from './present.js';

export const taskResolvers: TaskResolvers = {
  state: ({ actor }) => actor.value,
  assignee: ({ actor }) => actor.context.assignee,
  owner: ({ actor }) => actor.context.owner,
  processInstanceId: ({ instanceId }) => instanceId,
  processDefinitionId: ({ definitionId }) => definitionId,
  processDefinitionKey: ({ definitionKey }) => definitionKey,
  taskDefinitionKey: ({ elementId }) => elementId,
  processInstance: (task, _, context) =>
    instanceNow(context, task.instanceId) ?? task.processInstance ?? refuse(instanceGone(task)),
  processDefinition: ({ definitionId }, _, context) => context.find(processDefinitions, definitionId) ?? null,
  variables(task, _, context) {
    const instance = context.find(processInstances, task.instanceId);
    return instance === undefined ? [] : taskVariables(context.reading, instance, task);
  },
  localVariables(task, _, context) {
    const instance = context.find(processInstances, task.instanceId);
    return instance === undefined ? [] : taskLocalVariables(context.reading, instance, task);
  },
  async comments({ id }, _, context) {
    const page = await context.related({
      collection: taskComments.name,
      where: [...equal('taskId', id), { op: 'notNull', column: 'time' }],
      order: [{ column: 'time' }],
      first: PAGE_MAX,
      count: false,
      field: 'Task.comments',
    });
    return documentsOf<TaskComment>(page);
  },
  availableOperations: (task) => taskOperations(task),
};

const instanceGone = ({ instanceId }: Task) =>
  new ServiceError('NOT_FOUND', `expected process instance '${instanceId}' of the task, but it was deleted`, {
    reason: 'process_instance_not_found',
    resourceId: instanceId,
  });
