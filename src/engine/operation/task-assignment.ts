import type { Task } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { claimRight } from '../rule/rights.js';
import { instanceOperation } from '../run/instance-operation.js';
import { assignTo, mailboxOfTask, sceneOf } from '../run/open-task.js';

/**
 * Claims a task for the caller; claiming one's own task again is no error. Allowed to candidates, the assignee, supervisors and
 * administrators, and to everyone where the task names no candidates.
 * @throws NOT_FOUND, FORBIDDEN, CONFLICT (someone else holds it; its instance is suspended)
 */
export const claimTask = (services: EngineServices) =>
  instanceOperation<ClaimTask, Task>(
    'claimTask',
    (state, { taskId }, context) =>
      assignTo(sceneOf(services, state, context), {
        taskId,
        command: 'claimTask',
        right: claimRight,
        event: { type: 'claim', userId: context.caller.userId },
      }),
    mailboxOfTask,
  );

/** Input of `claimTask`. */
export interface ClaimTask {
  readonly taskId: string;
}
