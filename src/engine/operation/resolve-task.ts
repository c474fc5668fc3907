import type { Task } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { assignRight } from '../rule/rights.js';
import { instanceOperation } from '../run/instance-operation.js';
import { assignTo, mailboxOfTask, sceneOf } from '../run/open-task.js';

/**
 * Returns a delegated task to its owner, who completes it. Allowed to the delegate, the owner, supervisors and administrators.
 * @throws NOT_FOUND, FORBIDDEN, CONFLICT (it is not delegated; its instance is suspended)
 */
export const resolveTask = (services: EngineServices) =>
  instanceOperation<ResolveTask, Task>(
    'resolveTask',
    (state, { taskId }, context) =>
      assignTo(sceneOf(services, state, context), {
        taskId,
        command: 'resolveTask',
        right: assignRight('resolve'),
        event: { type: 'resolve' },
      }),
    mailboxOfTask,
  );

/** Input of `resolveTask`. */
export interface ResolveTask {
  readonly taskId: string;
}
