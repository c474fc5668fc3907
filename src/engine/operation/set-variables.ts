import type { Caller } from '../../shared/caller.js';
import { mayWork } from '../../shared/rights/processes.js';
import type { State } from '../../store/index.js';
import { externalTasks, instanceOfExecution, processInstances, type Task, tasks } from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { badArgument, executionNotFound, instanceNotFound } from '../errors.js';
import { typedVariables, type VariableInput } from '../rule/given-value.js';
import { completeRight, requireInstanceRight } from '../rule/rights.js';
import { presentInstance } from '../run/instance-changes.js';
import { allowedTask, instanceOperation, mailboxOfTask, sceneOf } from '../run/instance-operation.js';
import { namesIn } from '../run/instance-store.js';
import { bringBack, rehydrate } from '../run/load-instance.js';
import { runInstance } from '../run/run-instance.js';
import { hasListeners, moveTask } from '../run/task-changes.js';
import { placeOfToken, variablesAround } from '../run/waiting-scopes.js';

/** Input of `setTaskVariables`. */
interface SetTaskVariables {
  readonly taskId: string;
  readonly variables: readonly VariableInput[];
  /** Whether they are the task's own. Default false: set where the name is known, else on the process. */
  readonly local?: boolean | null;
  /** What becomes of the task's own variables that are not in the list. Default MERGE: they stay. REPLACE needs `local`. */
  readonly mode?: VariablesMode | null;
  /** The names of those that go: the task's own, or as the task sees them; of one that is in the list, too, this counts. Default: none beside those by the mode. */
  readonly removed?: readonly string[];
}

/**
 * Sets and removes variables as the task sees them; others stay as they are, unless the task's own are replaced. Listeners to updates are told when its own
 * change. Answers the task as it is then. Allowed to whoever may complete the task, also while its instance is suspended.
 * @throws NOT_FOUND, BAD_REQUEST (a variable; to replace what is not the task's own), FORBIDDEN
 */
export const setTaskVariables = (services: EngineServices) =>
  instanceOperation<SetTaskVariables, Task>(
    'setTaskVariables',
    (state, { taskId, variables: given, local, mode, removed: gone = [] }, context) => {
      requireOwn(mode, local);
      const { task, instance } = allowedTask(state, taskId, context, completeRight('set variables of'));
      const scene = sceneOf(services, state, context);
      const variables = typedVariables(given.filter(({ name }) => !gone.includes(name)));
      const isGone = (name: string) => gone.includes(name) || (mode === 'REPLACE' && !Object.hasOwn(variables, name));
      const input = {
        type: 'setVariables',
        tokenId: task.tokenId,
        ...(local ? OWN : { local: false }),
        variables,
        removed: local ? ownNames(state, task).filter(isGone) : gone,
        ...(hasListeners(services, state, task, 'update') && { taskId }),
      } as const;
      const next = moveTask({ changes: scene.changes, instance, now: state.now }, task, { type: 'setVariables' });
      const end = runInstance(scene, {
        command: 'setTaskVariables',
        instance,
        event: 'modify',
        input,
        ...(task.within && { within: [task.within] }),
      });
      return 'ask' in end ? end : scene.changes.decision(scene.changes.current(state, tasks, taskId) ?? next);
    },
    mailboxOfTask,
  );

const OWN = { local: true, ofTask: true } as const;

/** @throws BAD_REQUEST (to replace what is not the task's own) */
function requireOwn(mode: SetTaskVariables['mode'], local: SetTaskVariables['local']): void {
  if (mode !== 'REPLACE' || local) return;
  const expected = "MERGE, or REPLACE with local: true, for only a task's own variables are replaced";
  throw badArgument('mode', expected, mode);
}

function ownNames(state: State, { instanceId, tokenId, within }: Task): string[] {
  // The run reads the instance anew, and brings back what it needs.
  const document = state.get(processInstances, instanceId);
  if (document === undefined) return [];
  const loaded = rehydrate(state, document);
  if (within !== undefined) bringBack(state, loaded, [within]);
  const opened = loaded.state.tokens.find(({ id }) => id === tokenId)?.opens;
  return Object.keys(loaded.state.scopes.find(({ id }) => id === opened)?.variables ?? {});
}

/** Input of `setProcessVariables`. */
interface SetProcessVariables {
  readonly processInstanceId: string;
  readonly variables: readonly VariableInput[];
  /** What becomes of variables that are not in the list. Default REPLACE. */
  readonly mode?: VariablesMode | null;
  /** The names of those that go; of one that is in the list, too, this counts. Default: none beside those by the mode. */
  readonly removed?: readonly string[];
}

/** Whether variables that are not given stay (MERGE) or go (REPLACE). */
type VariablesMode = 'MERGE' | 'REPLACE';

/**
 * Sets variables of the process scope: what is not in the list goes, and an empty list clears them all, unless they are merged. Answers the
 * instance's id.
 * Allowed to its starter, supervisors and administrators, and to a worker that has locked one of its external tasks, also while it is suspended.
 * @throws NOT_FOUND, BAD_REQUEST (a variable), FORBIDDEN, CONFLICT (it has ended)
 */
export const setProcessVariables = (services: EngineServices) =>
  instanceOperation<SetProcessVariables, string>(
    'setProcessVariables',
    (state, { processInstanceId, variables, mode, removed: gone = [] }, context) => {
      const instance = presentInstance(state, processInstanceId);
      if (instance === undefined) throw instanceNotFound(processInstanceId);
      if (!isWorkingOn(state, context.caller, processInstanceId))
        requireInstanceRight(context.caller, instance, 'set the variables of process instance');
      const given = typedVariables(variables.filter(({ name }) => !gone.includes(name)));
      const process = instance.state.scopes.find((scope) => scope.parent === null);
      const left = mode === 'MERGE' ? [] : namesIn(instance, process?.id).filter((it) => !Object.hasOwn(given, it));
      const scene = sceneOf(services, state, context);
      const removed = [...new Set([...gone, ...left])];
      const input = { type: 'setVariables', tokenId: null, local: true, variables: given, removed } as const;
      const end = runInstance(scene, { command: 'setProcessVariables', instance, event: 'modify', input });
      return 'ask' in end ? end : scene.changes.decision(processInstanceId);
    },
    (_, { processInstanceId }) => processInstanceId,
  );

/** Input of `setExecutionVariables`. */
interface SetExecutionVariables {
  /** `<instance>:<token>` */
  readonly executionId: string;
  readonly variables: readonly VariableInput[];
  /** The names of those that go; of one that is in the list, too, this counts. Default: none. */
  readonly removed?: readonly string[];
}

/**
 * Sets and removes variables of an activity itself, such as a sub-process or one of its tasks; others stay as they are. Answers the instance's id. Allowed to
 * whom {@link setProcessVariables} is.
 * @throws NOT_FOUND (no activity goes on there), BAD_REQUEST (a variable), FORBIDDEN
 */
export const setExecutionVariables = (services: EngineServices) =>
  instanceOperation<SetExecutionVariables, string>(
    'setExecutionVariables',
    (state, { executionId, variables, removed: gone = [] }, context) => {
      const instance = presentInstance(state, instanceOfExecution(executionId));
      if (instance === undefined) throw executionNotFound(executionId);
      if (!isWorkingOn(state, context.caller, instance.id))
        requireInstanceRight(context.caller, instance, 'set the variables of process instance');
      const place = placeOfToken(state, instance, Number(executionId.slice(instance.id.length + 1)));
      const { token, own = {} } = variablesAround(state, instance, place);
      if (token === undefined || token.activity === null) throw executionNotFound(executionId);
      const input = {
        ...({ type: 'setVariables', tokenId: token.id, local: true } as const),
        variables: typedVariables(variables.filter(({ name }) => !gone.includes(name))),
        removed: gone.filter((name) => Object.hasOwn(own, name)),
      };
      const scene = sceneOf(services, state, context);
      const within = place.within && { within: [place.within] };
      const end = runInstance(scene, { command: 'setExecutionVariables', instance, event: 'modify', input, ...within });
      return 'ask' in end ? end : scene.changes.decision(instance.id);
    },
    (_, { executionId }) => instanceOfExecution(executionId),
  );

/** How many external tasks are looked at. */
const LOCKED_MAX = 1_000;

/** Whether the caller has locked an external task of the instance. */
function isWorkingOn(state: State, caller: Caller, instanceId: string): boolean {
  if (!mayWork(caller)) return false;
  return state
    .find(externalTasks, 'instance', [instanceId], { limit: LOCKED_MAX })
    .some(({ actor, lock }) => actor.value === 'locked' && lock?.userId === caller.userId);
}
