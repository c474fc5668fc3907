import { presentTask, type Task, taskComments } from '../../engine/index.js';
import type { ApiContext } from '../api-context.js';
import { required } from '../arguments.js';
import type { MutationResolvers } from '../generated/schema.js';
import type { TaskView } from '../views.js';
import { itself, ofInput, sends, sendsAndSettles } from './sends.js';

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

/** An open task as its command left it, also when its key comes again. */
const asLeft = (task: Task, { reading }: ApiContext): TaskView => presentTask(reading, task);

export const taskMutations: TaskMutations = {
  claimTask: sends((api) => api.claimTask, asLeft),
  unclaimTask: sends((api) => api.unclaimTask, asLeft),
  assignTask: sends((api) => api.assignTask, asLeft),
  setTaskAssignee: sends((api) => api.setTaskAssignee, asLeft),
  delegateTask: sends((api) => api.delegateTask, asLeft),
  resolveTask: sends((api) => api.resolveTask, asLeft),
  setTaskVariables: sends((api) => api.setTaskVariables, asLeft),
  completeTask: ofInput(sendsAndSettles((api) => api.completeTask, itself)),
  addTaskComment: sends(
    (api) => api.addTaskComment,
    (id, context) => required(context.find(taskComments, id), 'task comment', id),
  ),
};
