import type { Task } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { completeRight } from '../rule/rights.js';
import { typedVariables, type VariableInput } from '../rule/typed-value.js';
import { instanceOperation, mailboxOfTask, openTask, sceneOf } from '../run/instance-operation.js';
import { runInstance } from '../run/run-instance.js';
import { stepTask } from '../run/task-changes.js';

/** Input of `completeTask`. */
export interface CompleteTask {
  readonly taskId: string;
  /** Set where the name is known, else on the process. */
  readonly variables?: readonly VariableInput[] | null;
}

/**
 * Completes a task and moves its instance on to where every token waits; answers the task as it was completed, for it is not kept. Allowed
 * to the assignee, supervisors and administrators; while nobody has it, to whoever may claim it.
 * @throws NOT_FOUND, BAD_REQUEST (a variable), FORBIDDEN, CONFLICT (delegated and not resolved; its instance is suspended), EXECUTION_FAILED
 */
export const completeTask = (services: EngineServices) =>
  instanceOperation<CompleteTask, Task>(
    'completeTask',
    (state, { taskId, variables: given }, context) => {
      const { task, instance } = openTask(state, taskId, context, completeRight('complete'));
      const variables = typedVariables(given);
      // As it is answered; its token's run is what completes it.
      const [completed] = stepTask(task, { type: 'complete' });
      const scene = sceneOf(services, state, context);
      const input = { type: 'completeTask', taskId, variables, localVariables: {} } as const;
      const end = runInstance(scene, { command: 'completeTask', instance, event: 'step', input });
      return 'ask' in end ? end : scene.changes.decision(completed);
    },
    mailboxOfTask,
  );
