import type { Caller } from '../../shared/caller.js';
import type { Asking, Decision, Operation, State } from '../../store/index.js';
import { type ProcessInstance, processDefinitions, type Task, taskComments, tasks } from '../collections.js';
import type { Variables } from '../element/typed-value.js';
import type { EngineServices } from '../engine-services.js';
import { missingArgument } from '../errors.js';
import type { UserTaskEvent } from '../machine/user-task.js';
import { bounded, typedVariables, type VariableInput } from '../rule/given-value.js';
import { assignRight, claimRight, commentRight, completeRight, type TaskRight, unclaimRight } from '../rule/rights.js';
import { submitted } from '../run/forms.js';
import { allowedTask, instanceOperation, mailboxOfTask, openTask, sceneOf } from '../run/instance-operation.js';
import { runInstance } from '../run/run-instance.js';
import { taskVariables } from '../run/seen-variables.js';
import { hasListeners, performOnTask, stepTask } from '../run/task-changes.js';
import type { RunScene } from '../run/told-context.js';

// What people do with a task. Who works on it is changed in one way (`assignTo`): the right is asked, the event goes to the task's machine, its actions
// are performed, and the model's listeners hear of it. Completing one moves the instance on.

/** Input of `claimTask` and `unclaimTask`. */
interface NamedTask {
  readonly taskId: string;
}

/** Input of `assignTask` and `delegateTask`. */
interface AssignTask extends NamedTask {
  readonly assignee: string;
}

/** Input of `setTaskAssignee`. */
interface SetTaskAssignee extends NamedTask {
  /** null: nobody. */
  readonly assignee?: string | null;
}

/**
 * Claims a task for the caller; claiming one's own task again is no error. Allowed to candidates, the assignee, supervisors and
 * administrators, and to everyone where the task names no candidates.
 * @throws NOT_FOUND, FORBIDDEN, CONFLICT (someone else holds it; its instance is suspended)
 */
export const claimTask = assignment<NamedTask>('claimTask', claimRight, (_, { userId }) => ({ type: 'claim', userId }));

/**
 * Takes the task from its assignee. Allowed to the assignee, supervisors and administrators; where nobody has it, no error for whoever may claim it.
 * @throws NOT_FOUND, FORBIDDEN, CONFLICT (its instance is suspended)
 */
export const unclaimTask = assignment<NamedTask>('unclaimTask', unclaimRight, () => ({ type: 'unclaim' }));

/**
 * Gives the task to a user. A delegated task stays delegated, to that user. Allowed to supervisors, administrators, the assignee and the
 * owner, and to candidates while nobody has it.
 * @throws NOT_FOUND, BAD_REQUEST (no assignee), FORBIDDEN, CONFLICT (its instance is suspended)
 */
export const assignTask = assignment<AssignTask>('assignTask', assignRight('assign'), ({ assignee }) => ({
  type: 'assign',
  userId: named(assignee),
}));

/**
 * Gives the task to a user, or with null to nobody. Allowed to supervisors, administrators and the assignee, and to candidates while nobody
 * has it; not to the owner.
 * @throws NOT_FOUND, BAD_REQUEST (an empty assignee), FORBIDDEN, CONFLICT (its instance is suspended)
 */
export const setTaskAssignee = assignment<SetTaskAssignee>(
  'setTaskAssignee',
  completeRight('set the assignee of'),
  ({ assignee = null }) => (assignee === null ? { type: 'unclaim' } : { type: 'assign', userId: named(assignee) }),
);

/**
 * Lets someone else answer first: the old assignee becomes the owner (unless there is one), and the task cannot be completed before it is
 * resolved. Allowed to supervisors, administrators, the assignee and the owner, and to candidates while nobody has it.
 * @throws NOT_FOUND, BAD_REQUEST (no assignee), FORBIDDEN, CONFLICT (its instance is suspended)
 */
export const delegateTask = assignment<AssignTask>('delegateTask', assignRight('delegate'), ({ assignee }) => ({
  type: 'delegate',
  userId: named(assignee),
}));

/** Input of `resolveTask`. */
interface ResolveTask extends NamedTask {
  /** Set where the name is known, else on the process. */
  readonly variables?: readonly VariableInput[] | null;
  /** Whether they were entered in the task's form: they are checked by it. Default false. */
  readonly form?: boolean | null;
}

/**
 * Returns a delegated task to its owner, who completes it, with what the delegate has found out. Allowed to the delegate, the owner, supervisors and
 * administrators; with variables to whoever may set these.
 * @throws NOT_FOUND, BAD_REQUEST (a variable), FORBIDDEN, CONFLICT (it is not delegated; its instance is suspended)
 */
export const resolveTask = (services: EngineServices) =>
  instanceOperation<ResolveTask, Task>(
    'resolveTask',
    (state, { taskId, variables: given, form }, context) => {
      const typed = typedVariables(given);
      const sets = form === true || Object.keys(typed).length > 0;
      const right = sets ? completeRight('set variables of') : assignRight('resolve');
      const found = openTask(state, taskId, context, right);
      const variables = form === true ? submittedTo(services, state, { ...found, given: typed }) : typed;
      const assignment = { taskId, right, command: 'resolveTask', event: { type: 'resolve' } } as const;
      return assignTo(sceneOf(services, state, context), { ...assignment, ...(sets && { variables }) });
    },
    mailboxOfTask,
  );

/** The operation that changes who works on a task by an event of its machine. */
function assignment<I extends NamedTask>(
  name: string,
  right: TaskRight,
  eventOf: (input: I, caller: Caller) => UserTaskEvent,
): (services: EngineServices) => Operation<I, Task> {
  return (services) =>
    instanceOperation<I, Task>(
      name,
      (state, input, context) => {
        const event = eventOf(input, context.caller);
        return assignTo(sceneOf(services, state, context), { taskId: input.taskId, right, command: name, event });
      },
      mailboxOfTask,
    );
}

/** The id of the user that the argument names. @throws BAD_REQUEST (empty) */
function named(assignee: string): string {
  const trimmed = bounded('assignee', assignee, 'name')?.trim() ?? '';
  if (trimmed === '') throw missingArgument('assignee', 'a user id');
  return trimmed;
}

interface Assignment extends NamedTask {
  readonly right: TaskRight;
  /** The operation's name. */
  readonly command: string;
  readonly event: UserTaskEvent;
  /** What is set with it. */
  readonly variables?: Variables;
}

/** Changes who works on a task, and lets the model's listeners know. Answers the task as it is then. @throws NOT_FOUND, FORBIDDEN, CONFLICT */
function assignTo(scene: RunScene, { taskId, right, command, event, variables }: Assignment): Decision<Task> | Asking {
  const { state, changes, services, context } = scene;
  const { task, instance } = openTask(state, taskId, context, right);
  const [next, actions] = stepTask(task, event);
  const heard = next.actor.context.assignee === task.actor.context.assignee ? 'update' : 'assignment';
  // An assignment is told of as an update, too; and, as in Camunda, one to the one who has it as that.
  const isHeard = hasListeners(services, state, task, 'update', heard);
  if (actions.length === 0 && !isHeard) return { answer: task };
  performOnTask({ changes, instance, now: state.now }, next, actions);
  if (variables !== undefined || isHeard) {
    const input = { type: 'taskEvent', taskId, event: heard, ...(variables && { variables }) } as const;
    const end = runInstance(scene, { command, instance, event: 'step', input });
    if ('ask' in end) return end;
  }
  return changes.decision(changes.current(state, tasks, taskId) ?? next);
}

/** Input of `completeTask`. */
interface CompleteTask {
  readonly taskId: string;
  /** Set where the name is known, else on the process. */
  readonly variables?: readonly VariableInput[] | null;
  /** Whether they were entered in the task's form: they are checked by it. Default false. */
  readonly form?: boolean | null;
}

/** What was entered in a task's form, where it has one. @throws BAD_REQUEST (each field) */
function submittedTo(
  { programs }: EngineServices,
  state: State,
  { task, instance, given }: { readonly task: Task; readonly instance: ProcessInstance; readonly given: Variables },
): Variables {
  const form = programs.of(state, task.definitionId).elements[task.element]?.userTask?.form;
  if (form === undefined) return given;
  const definition = state.get(processDefinitions, task.definitionId);
  const present = taskVariables(state, instance, task).visible;
  return submitted(state, form, { given, present }, { definition, resourceId: task.id });
}

/**
 * Completes a task and moves its instance on to where every token waits; answers the task as it was completed, for it is not kept. Allowed
 * to the assignee, supervisors and administrators; while nobody has it, to whoever may claim it.
 * @throws NOT_FOUND, BAD_REQUEST (a variable), FORBIDDEN, CONFLICT (delegated and not resolved; its instance is suspended), EXECUTION_FAILED
 */
export const completeTask = (services: EngineServices) =>
  instanceOperation<CompleteTask, Task>(
    'completeTask',
    (state, { taskId, variables: given, form }, context) => {
      const { task, instance } = openTask(state, taskId, context, completeRight('complete'));
      const typed = typedVariables(given);
      const variables = form === true ? submittedTo(services, state, { task, instance, given: typed }) : typed;
      // As it is answered; its token's run is what completes it.
      const [completed] = stepTask(task, { type: 'complete' });
      const scene = sceneOf(services, state, context);
      const input = { type: 'completeTask', taskId, variables, localVariables: {} } as const;
      const end = runInstance(scene, { command: 'completeTask', instance, event: 'step', input });
      return 'ask' in end ? end : scene.changes.decision(completed);
    },
    mailboxOfTask,
  );

/** Input of `addTaskComment`. */
interface AddTaskComment {
  readonly taskId: string;
  readonly message: string;
}

/**
 * Says something about an open task, as the caller; whoever sees it may, also while its instance is suspended. Listeners to updates are told. Answers the
 * comment's id. @throws NOT_FOUND, BAD_REQUEST (empty), EXECUTION_FAILED
 */
export const addTaskComment = (services: EngineServices) =>
  instanceOperation<AddTaskComment, string>(
    'addTaskComment',
    (state, { taskId, message }, context) => {
      const { task, instance } = allowedTask(state, taskId, context, commentRight);
      if (message.trim() === '') throw missingArgument('message', 'a text');
      bounded('message', message, 'message');
      const scene = sceneOf(services, state, context);
      const id = state.ids.next();
      const comment = { id, taskId, instanceId: instance.id, userId: context.caller.userId, time: state.now, message };
      scene.changes.put(taskComments, comment);
      if (hasListeners(services, state, task, 'update')) {
        const input = { type: 'taskEvent', taskId, event: 'update' } as const;
        const end = runInstance(scene, {
          command: 'addTaskComment',
          instance,
          event: 'modify',
          input,
          ...(task.within && { within: [task.within] }),
        });
        if ('ask' in end) return end;
      }
      return scene.changes.decision(id);
    },
    mailboxOfTask,
  );
