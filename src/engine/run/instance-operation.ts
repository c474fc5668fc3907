import { AFTER_OTHERS, type CommandContext, type Operation, operation, type State, start } from '../../store/index.js';
import {
  type CalledBy,
  isGone,
  type ProcessDefinition,
  type ProcessInstance,
  processDefinitions,
  type Task,
  tasks,
} from '../collections.js';
import { newInstance } from '../element/advance.js';
import type { Input, LeftBehind, ModifyInput, ThrownAfter, Variables } from '../element/instance-state.js';
import type { EngineServices } from '../engine-services.js';
import {
  definitionNotFound,
  definitionSuspended,
  instanceNotFound,
  instanceNotIn,
  keyNotFound,
  taskNotFound,
} from '../errors.js';
import { processInstanceMachine } from '../machine/process-instance.js';
import { requireTaskRight, type TaskRight } from '../rule/rights.js';
import { Changes } from './changes.js';
import { presentInstance } from './instance-changes.js';
import { requireFollowing } from './large-instance-jobs.js';
import { type RunEnd, runInstance } from './run-instance.js';
import type { RunScene } from './told-context.js';

/**
 * How many documents one decision on an instance may read and write: all that hangs on its tokens, at once, so that nobody sees half of it.
 * The instance's own document, which names each of them, has room for some 5,000.
 */
const INSTANCE_LIMITS = { reads: 10_000, writes: 10_000 } as const;

/** An operation on one instance, and on whatever hangs on it. It may be decided only when all that rests has followed its instance. */
export const instanceOperation = <I, A>(
  name: string,
  decide: Operation<I, A>['decide'],
  mailbox: NonNullable<Operation<I, A>['mailbox']>,
): Operation<I, A> => ({
  ...operation<I, A>(
    name,
    (state, input, context) => {
      const decided = decide(state, input, context);
      if ('ask' in decided && decided.ask.kind === AFTER_OTHERS) requireFollowed(state, String(decided.ask.question));
      return decided;
    },
    mailbox,
  ),
  limits: INSTANCE_LIMITS,
});

const requireFollowed = (state: State, id: string): void =>
  requireFollowing(state, id, `expected all of process instance '${id}' to have followed its last modification`);

/** An operation that may start an instance; it goes through no mailbox, for nobody knows the instance yet. */
export const startOperation = <I, A>(name: string, decide: Operation<I, A>['decide']): Operation<I, A> => ({
  ...operation(name, decide),
  limits: INSTANCE_LIMITS,
});

/** An open task with its instance. */
interface OpenTask {
  readonly task: Task;
  readonly instance: ProcessInstance;
}

/** The task, whose instance is active, and which the caller may treat so. @throws NOT_FOUND, FORBIDDEN, CONFLICT (suspended) */
export function openTask(state: State, taskId: string, context: CommandContext, right: TaskRight): OpenTask {
  const { task, instance } = allowedTask(state, taskId, context, right);
  if (instance.actor.value !== 'active') throw instanceNotIn(instance, `${right.wanted} a task of`);
  return { task, instance };
}

/** As {@link openTask}; its instance may be suspended. @throws NOT_FOUND, FORBIDDEN */
export function allowedTask(state: State, taskId: string, { caller }: CommandContext, right: TaskRight): OpenTask {
  const task = state.get(tasks, taskId);
  if (task === undefined) throw taskNotFound(taskId);
  requireTaskRight(caller, task, right);
  const instance = presentInstance(state, task.instanceId);
  if (instance === undefined) throw instanceNotFound(task.instanceId);
  if (isGone(state, instance, task)) throw taskNotFound(taskId);
  return { task, instance };
}

/** The mailbox of a command on a task: its instance's. */
export const mailboxOfTask = (state: State, { taskId }: { readonly taskId: string }): string | undefined =>
  state.get(tasks, taskId)?.instanceId;

export const sceneOf = (services: EngineServices, state: State, context: CommandContext): RunScene => ({
  services,
  state,
  changes: new Changes(),
  context,
});

/** How an instance begins. */
interface StartRequest {
  /** The instance's id. Default: a new one. */
  readonly id?: string;
  /** The operation's name. */
  readonly command: string;
  readonly definition: ProcessDefinition;
  /** The start event that was triggered; null: none was. */
  readonly element: string | null;
  /** Of a multiple start event: which of its parts came. */
  readonly part?: number | undefined;
  readonly businessKey: string | null;
  readonly variables: Variables;
  /** Of one that another instance calls: who that is, and for whom. */
  readonly calledBy?: CalledBy & { readonly startUserId: string };
  /** Of one that a process started by a message or signal: the steps that had led to it. */
  readonly steps?: ThrownAfter;
  /** The one that has ended and begins anew by it. */
  readonly restarts?: string;
  /** Of one that compensates another one that was called. */
  readonly undoes?: { readonly undoes: string; readonly left: LeftBehind };
  /** Where it begins, rather than at a start event. */
  readonly modification?: ModifyInput;
}

/** A new instance, run to where every token waits. @throws CONFLICT (the definition is suspended), EXECUTION_FAILED */
export function startInstance(scene: RunScene, request: StartRequest): RunEnd {
  const { command, definition } = request;
  if (definition.suspended) throw definitionSuspended(definition.id);
  return runInstance(scene, {
    command,
    instance: instanceOf(scene, request),
    event: 'start',
    input: firstInput(request),
  });
}

function firstInput({
  element,
  part,
  calledBy,
  variables,
  steps,
  restarts,
  undoes,
  modification,
}: StartRequest): Input {
  if (undoes !== undefined) return { type: 'undo', ...undoes, steps: steps ?? 0 };
  return {
    type: 'start',
    element,
    ...(part !== undefined && { part }),
    ...(calledBy && { called: true as const }),
    variables,
    steps,
    ...(restarts !== undefined && { restarts }),
    ...(modification && { modification }),
  };
}

/** The definition of an id; one that is being deleted is gone. @throws NOT_FOUND */
export function definitionOf(state: State, id: string): ProcessDefinition {
  const definition = state.get(processDefinitions, id);
  if (definition === undefined || definition.deleting) throw definitionNotFound(id);
  return definition;
}

/** The newest version of a key. @throws NOT_FOUND */
export function latestOf(state: State, key: string): ProcessDefinition {
  const [latest] = state.range(processDefinitions, 'latest', [1, key], 1);
  if (latest?.key === key) return latest;
  const deployed = state.range(processDefinitions, 'latest', [1], KEYS_MAX);
  throw keyNotFound(
    key,
    deployed.map((definition) => definition.key),
  );
}

/** Among how many keys the nearest one is looked for. */
const KEYS_MAX = 500;

const placeOf = ({ instanceId, activityId, executionId, within }: CalledBy): CalledBy => ({
  instanceId,
  activityId,
  executionId,
  ...(within && { within }),
});

function instanceOf(
  { state, context }: RunScene,
  { id = state.ids.next(), definition, businessKey, calledBy }: StartRequest,
): ProcessInstance {
  return {
    id,
    definitionId: definition.id,
    definitionKey: definition.key,
    businessKey,
    startUserId: calledBy?.startUserId ?? context.caller.userId,
    calledBy: calledBy === undefined ? null : placeOf(calledBy),
    startTime: state.now,
    endTime: null,
    deleteReason: null,
    incidentCount: 0,
    runs: 0,
    sweep: definition.sweep?.id ?? null,
    actor: start(processInstanceMachine, { started: false }),
    state: newInstance(),
    spilled: [],
  };
}
