import type { Task } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import type { UserTaskEvent } from '../machine/user-task.js';
import { completeRight } from '../rule/rights.js';
import { instanceOperation } from '../run/instance-operation.js';
import { assignTo, mailboxOfTask, sceneOf } from '../run/open-task.js';
import { namedUser } from './named-user.js';

/** Input of `setTaskAssignee`. */
export interface SetTaskAssignee {
  readonly taskId: string;
  /** null: nobody. */
  readonly assignee?: string | null;
}

/**
 * Gives the task to a user, or with null to nobody. Allowed to supervisors, administrators and the assignee, and to candidates while nobody
 * has it; not to the owner.
 * @throws NOT_FOUND, BAD_REQUEST (an empty assignee), FORBIDDEN, CONFLICT (its instance is suspended)
 */
export const setTaskAssignee = (services: EngineServices) =>
  instanceOperation<SetTaskAssignee, Task>(
    'setTaskAssignee',
    (state, { taskId, assignee = null }, context) => {
      const event: UserTaskEvent =
        assignee === null ? { type: 'unclaim' } : { type: 'assign', userId: namedUser('assignee', assignee) };
      return assignTo(sceneOf(services, state, context), { taskId, command: 'setTaskAssignee', right, event });
    },
    mailboxOfTask,
  );

const right = completeRight('set the assignee of');
