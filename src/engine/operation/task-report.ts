import type { Asking, Decision } from '../../store/index.js';
import { type ProcessInstance, type Task, tasks } from '../collections.js';
import type { Input } from '../element/instance-state.js';
import type { EngineServices } from '../engine-services.js';
import { badArgument } from '../errors.js';
import { bounded, typedVariables, type VariableInput } from '../rule/given-value.js';
import { completeRight } from '../rule/rights.js';
import { instanceOperation, mailboxOfTask, openTask, sceneOf } from '../run/instance-operation.js';
import { runInstance } from '../run/run-instance.js';
import { stepTask } from '../run/task-changes.js';
import type { RunScene } from '../run/told-context.js';

// What who works on a task tells the process beside completing it, for the model's events to catch.

interface Told {
  readonly taskId: string;
  /** Set where the name is known, else on the process. */
  readonly variables?: readonly VariableInput[] | null;
}

/** Input of `taskBpmnError`. */
interface TaskBpmnError extends Told {
  readonly errorCode: string;
  readonly errorMessage?: string | null;
}

/**
 * Ends a task with a BPMN error, which a boundary event or an event sub-process catches; answers the task as it was, cancelled. Allowed to whoever may complete it.
 * @throws NOT_FOUND, BAD_REQUEST, FORBIDDEN, CONFLICT (its instance is suspended), EXECUTION_FAILED (nothing catches it, among others: the task is open as before)
 */
export const taskBpmnError = (services: EngineServices) =>
  instanceOperation<TaskBpmnError, Task>(
    'taskBpmnError',
    (state, { taskId, errorCode, errorMessage, variables: given }, context) => {
      const found = openTask(state, taskId, context, completeRight('end'));
      const code = codeOf('errorCode', errorCode);
      const message = bounded('errorMessage', errorMessage, 'message');
      const input = { type: 'taskError', taskId, code, message, variables: typedVariables(given) } as const;
      return told(sceneOf(services, state, context), { command: 'taskBpmnError', ...found, input });
    },
    mailboxOfTask,
  );

/** Input of `taskEscalation`. */
interface TaskEscalation extends Told {
  readonly escalationCode: string;
}

/**
 * Tells of an escalation, which an event around the task catches; answers the task as it is then, cancelled where the event interrupts it. Allowed to whoever may
 * complete it.
 * @throws NOT_FOUND, BAD_REQUEST, FORBIDDEN, CONFLICT (its instance is suspended), EXECUTION_FAILED (nothing catches it, among others)
 */
export const taskEscalation = (services: EngineServices) =>
  instanceOperation<TaskEscalation, Task>(
    'taskEscalation',
    (state, { taskId, escalationCode, variables: given }, context) => {
      const found = openTask(state, taskId, context, completeRight('escalate'));
      const code = codeOf('escalationCode', escalationCode);
      const input = { type: 'taskEscalation', taskId, code, variables: typedVariables(given) } as const;
      return told(sceneOf(services, state, context), { command: 'taskEscalation', ...found, input });
    },
    mailboxOfTask,
  );

/** @throws BAD_REQUEST (empty) */
function codeOf(argument: 'errorCode' | 'escalationCode', given: string): string {
  const code = bounded(argument, given, 'name') ?? '';
  if (code.trim() === '') throw badArgument(argument, 'the code that an event of the model catches', code);
  return code;
}

interface Telling {
  readonly command: string;
  readonly task: Task;
  readonly instance: ProcessInstance;
  readonly input: Input;
}

function told(scene: RunScene, { command, task, instance, input }: Telling): Decision<Task> | Asking {
  const { state, changes } = scene;
  const end = runInstance(scene, { command, instance, event: 'step', input });
  if ('ask' in end) return end;
  return changes.decision(changes.current(state, tasks, task.id) ?? stepTask(task, { type: 'cancel' })[0]);
}
