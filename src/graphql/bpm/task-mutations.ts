import { presentTask, type Task, taskComments } from '../../engine/index.js';
import type { Operation } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import { required } from '../arguments.js';
import type { MutationResolvers } from '../generated/schema.js';
import { mutate, mutateAndSettle } from '../mutate.js';
import type { TaskView } from '../views.js';

type TaskMutations = Required<
  Pick<
    MutationResolvers,
    | 'claimTask'
    | 'unclaimTask'
    | 'assignTask'
    | 'setTaskAssignee'
    | 'delegateTask'
    | 'resolveTask'
    | 'completeTask'
    | 'setTaskVariables'
    | 'addTaskComment'
  >
>;

export const taskMutations: TaskMutations = {
  claimTask: (_, args, context, info) => changed(context, info, context.services.engine.api.claimTask, args),
  unclaimTask: (_, args, context, info) => changed(context, info, context.services.engine.api.unclaimTask, args),
  assignTask: (_, args, context, info) => changed(context, info, context.services.engine.api.assignTask, args),
  setTaskAssignee: (_, args, context, info) =>
    changed(context, info, context.services.engine.api.setTaskAssignee, args),
  delegateTask: (_, args, context, info) => changed(context, info, context.services.engine.api.delegateTask, args),
  resolveTask: (_, args, context, info) => changed(context, info, context.services.engine.api.resolveTask, args),
  setTaskVariables: (_, args, context, info) =>
    changed(context, info, context.services.engine.api.setTaskVariables, args),

  async completeTask(_, { input }, context, info) {
    const { answer } = await mutateAndSettle(context, info, context.services.engine.api.completeTask, input);
    return answer;
  },

  async addTaskComment(_, args, context, info) {
    const { answer } = await mutate(context, info, context.services.engine.api.addTaskComment, args);
    return required(context.find(taskComments, answer), 'task comment', answer);
  },
};

/** Sends a command that changes an open task; gives the task as the command left it, also when its key comes again. */
async function changed<I>(
  context: ApiContext,
  info: Parameters<typeof mutate>[1],
  operation: Operation<I, Task>,
  input: I,
): Promise<TaskView> {
  const { answer } = await mutate(context, info, operation, input);
  return presentTask(context.reading, answer);
}
