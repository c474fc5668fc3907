import type { Task } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { unclaimRight } from '../rule/rights.js';
import { instanceOperation } from '../run/instance-operation.js';
import { assignTo, mailboxOfTask, sceneOf } from '../run/open-task.js';

/**
 * Takes the task from its assignee. Allowed to the assignee, supervisors and administrators; no error where nobody has it.
 * @throws NOT_FOUND, FORBIDDEN, CONFLICT (its instance is suspended)
 */
export const unclaimTask = (services: EngineServices) =>
  instanceOperation<UnclaimTask, Task>(
    'unclaimTask',
    (state, { taskId }, context) =>
      assignTo(sceneOf(services, state, context), {
        taskId,
        command: 'unclaimTask',
        right: unclaimRight,
        event: { type: 'unclaim' },
      }),
    mailboxOfTask,
  );

/** Input of `unclaimTask`. */
export interface UnclaimTask {
  readonly taskId: string;
}
