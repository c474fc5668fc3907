import { responsePathAsArray } from 'graphql';
import {
  activityLanes,
  processDefinitions,
  processInstances,
  type Task,
  taskComments,
  taskForm,
  taskOperations,
  taskVariables,
} from '../../engine/index.js';
import { refuse, ServiceError } from '../../shared/errors.js';
import { PAGE_MAX } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import type { TaskResolvers } from '../generated/schema.js';
import { documentsOf, equal } from '../list-field.js';
import { instanceNow } from './process.js';
import { variableList, variablePage } from './variables.js';

export const taskResolvers: TaskResolvers = {
  state: ({ actor }) => actor.value,
  assignee: ({ actor }) => actor.context.assignee,
  owner: ({ actor }) => actor.context.owner,
  processInstanceId: ({ instanceId }) => instanceId,
  processDefinitionId: ({ definitionId }) => definitionId,
  processDefinitionKey: ({ definitionKey }) => definitionKey,
  taskDefinitionKey: ({ elementId }) => elementId,
  lanes: (task, _, { services, reading }) => activityLanes(services.programs, reading, task),
  processInstance: (task, _, context) =>
    instanceNow(context, task.instanceId) ?? task.processInstance ?? refuse(instanceGone(task)),
  processDefinition: ({ definitionId }, _, context) => context.find(processDefinitions, definitionId) ?? null,
  variables: (task, _, context) => seenFrom(task, context).flatMap(({ visible }) => variableList(visible)),
  localVariables: (task, _, context) => seenFrom(task, context).flatMap(({ local }) => variableList(local)),
  variablesConnection: (task, args, context, info) =>
    variablePage(task.id, seenFrom(task, context)[0]?.visible ?? {}, args, info),
  localVariablesConnection: (task, args, context, info) =>
    variablePage(task.id, seenFrom(task, context)[0]?.local ?? {}, args, info),
  async comments({ id }, _, context, info) {
    const page = await context.related({
      collection: taskComments.name,
      of: taskComments,
      where: [...equal('taskId', id), { op: 'notNull', column: 'time' }],
      order: [{ column: 'time' }],
      first: PAGE_MAX,
      count: false,
      field: 'Task.comments',
      path: responsePathAsArray(info.path),
    });
    return documentsOf(taskComments, page);
  },
  form: (task, _, { reading, state, services }) => {
    const instance = reading.get(processInstances, task.instanceId);
    const program = services.programs.find(reading, task.definitionId);
    return instance === undefined ? null : taskForm(state, program, instance, task);
  },
  availableOperations: (task) => taskOperations(task),
};

/** What the task sees, and what is its own; nothing where its instance is gone. */
function seenFrom(task: Task, context: ApiContext): ReturnType<typeof taskVariables>[] {
  const instance = context.reading.get(processInstances, task.instanceId);
  return instance === undefined ? [] : [taskVariables(context.reading, instance, task)];
}

const instanceGone = ({ instanceId }: Task) =>
  new ServiceError('NOT_FOUND', `expected process instance '${instanceId}' of the task, but it was deleted`, {
    reason: 'process_instance_not_found',
    resourceId: instanceId,
  });
