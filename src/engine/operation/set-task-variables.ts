import { type Task, tasks } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { completeRight } from '../rule/rights.js';
import { typedVariables, type VariableInput } from '../rule/typed-value.js';
import { instanceOperation } from '../run/instance-operation.js';
import { mailboxOfTask, openTask, sceneOf } from '../run/open-task.js';
import { runInstance } from '../run/run-instance.js';
import { changeTask, stepTask } from '../run/task-changes.js';

/** Input of `setTaskVariables`. */
export interface SetTaskVariables {
  readonly taskId: string;
  readonly variables: readonly VariableInput[];
  /** Whether they are the task's own. Default false: set where the name is known, else on the process. */
  readonly local?: boolean | null;
}

/**
 * Sets variables as the task sees them; others stay as they are. Answers the task as it is then. Allowed to whoever may complete the task.
 * @throws NOT_FOUND, BAD_REQUEST (a variable), FORBIDDEN, CONFLICT (its instance is suspended)
 */
export const setTaskVariables = (services: EngineServices) =>
  instanceOperation<SetTaskVariables, Task>(
    'setTaskVariables',
    (state, { taskId, variables: given, local }, context) => {
      const { task, instance } = openTask(state, taskId, context, completeRight('set variables of'));
      const scene = sceneOf(services, state, context);
      const variables = typedVariables(given);
      const input = {
        type: 'setVariables',
        tokenId: task.tokenId,
        local: local ?? false,
        variables,
        removed: [],
      } as const;
      const next = stepTask(task, { type: 'setVariables' });
      changeTask({ changes: scene.changes, instance, now: state.now }, task, next);
      const end = runInstance(scene, { command: 'setTaskVariables', instance, event: 'modify', input });
      return 'ask' in end ? end : scene.changes.decision(scene.changes.current(state, tasks, taskId) ?? next);
    },
    mailboxOfTask,
  );
