import { operation, put } from '../../store/index.js';
import { taskComments, tasks } from '../collections.js';
import { missingArgument, taskNotFound } from '../errors.js';
import { bounded } from '../rule/bounded-text.js';

/** Input of `addTaskComment`. */
export interface AddTaskComment {
  readonly taskId: string;
  readonly message: string;
}

/** Says something about an open task, as the caller; everyone signed in may. Answers the comment's id. @throws NOT_FOUND, BAD_REQUEST (empty) */
export const addTaskComment = operation<AddTaskComment, string>(
  'addTaskComment',
  (state, { taskId, message }, { caller }) => {
    const task = state.get(tasks, taskId);
    if (task === undefined) throw taskNotFound(taskId);
    if (message.trim() === '') throw missingArgument('message', 'a text');
    bounded('message', message, 'message');
    const id = state.ids.next();
    const { instanceId } = task;
    const comment = { id, taskId, instanceId, userId: caller.userId, time: state.now, message };
    return { write: [put(taskComments, comment)], answer: id };
  },
);
