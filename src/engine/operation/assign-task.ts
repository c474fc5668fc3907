import type { Task } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { assignRight } from '../rule/rights.js';
import { instanceOperation } from '../run/instance-operation.js';
import { assignTo, mailboxOfTask, sceneOf } from '../run/open-task.js';
import { namedUser } from './named-user.js';

/**
 * Gives the task to a user. A delegated task stays delegated, to that user. Allowed to supervisors, administrators, the assignee and the
 * owner, and to candidates while nobody has it.
 * @throws NOT_FOUND, BAD_REQUEST (no assignee), FORBIDDEN, CONFLICT (its instance is suspended)
 */
export const assignTask = (services: EngineServices) =>
  instanceOperation<AssignTask, Task>(
    'assignTask',
    (state, { taskId, assignee }, context) =>
      assignTo(sceneOf(services, state, context), {
        taskId,
        command: 'assignTask',
        right: assignRight('assign'),
        event: { type: 'assign', userId: namedUser('assignee', assignee) },
      }),
    mailboxOfTask,
  );

/** Input of `assignTask`. */
export interface AssignTask {
  readonly taskId: string;
  readonly assignee: string;
}
