import type { Task } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { assignRight } from '../rule/rights.js';
import { instanceOperation } from '../run/instance-operation.js';
import { assignTo, mailboxOfTask, sceneOf } from '../run/open-task.js';
import { namedUser } from './named-user.js';

/**
 * Lets someone else answer first: the old assignee becomes the owner (unless there is one), and the task cannot be completed before it is
 * resolved. Allowed to supervisors, administrators, the assignee and the owner, and to candidates while nobody has it.
 * @throws NOT_FOUND, BAD_REQUEST (no assignee), FORBIDDEN, CONFLICT (its instance is suspended)
 */
export const delegateTask = (services: EngineServices) =>
  instanceOperation<DelegateTask, Task>(
    'delegateTask',
    (state, { taskId, assignee }, context) =>
      assignTo(sceneOf(services, state, context), {
        taskId,
        command: 'delegateTask',
        right: assignRight('delegate'),
        event: { type: 'delegate', userId: namedUser('assignee', assignee) },
      }),
    mailboxOfTask,
  );

/** Input of `delegateTask`. */
export interface DelegateTask {
  readonly taskId: string;
  readonly assignee: string;
}
