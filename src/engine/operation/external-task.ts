import type { Caller } from '../../shared/caller.js';
import { type Asking, type Decision, operation, type State } from '../../store/index.js';
import { type ExternalTask, externalTasks, type ProcessInstance } from '../collections.js';
import type { ExternalFacts } from '../element/external-facts.js';
import { externalOf } from '../element/external-task.js';
import type { EngineServices } from '../engine-services.js';
import { badArgument, externalTaskNotFound, instanceNotFound, instanceNotIn, notLockedBy } from '../errors.js';
import { bounded, typedVariables, type VariableInput } from '../rule/given-value.js';
import { requireSupervisor, requireWorker } from '../rule/rights.js';
import { Changes } from '../run/changes.js';
import { moveExternalTask } from '../run/external-task-changes.js';
import { presentInstance } from '../run/instance-changes.js';
import { instanceOperation, sceneOf } from '../run/instance-operation.js';
import { presentTask } from '../run/present.js';
import { runInstance } from '../run/run-instance.js';
import type { RunScene } from '../run/told-context.js';
import { requireDuration, requireWorkerId } from './fetch-external-tasks.js';

// What workers do with an external task that they have locked. Locks write the task alone; what ends it, or fails it, goes through its instance's mailbox.

/** Names a task, and shows that it is the caller's: by the lock's token, or as Camunda does by the worker's name. */
export interface HeldTask {
  readonly taskId: string;
  readonly lockToken?: string | null;
  readonly workerId?: string | null;
}

/** Variables that a worker reports. */
interface Reported {
  /** Set where the name is known, else on the process. */
  readonly variables?: readonly VariableInput[] | null;
  /** Set on the activity alone: its output mappings see them. */
  readonly localVariables?: readonly VariableInput[] | null;
}

/** Input of `lockExternalTask` and `extendExternalTaskLock`. */
interface LockFor extends HeldTask {
  /** At least 1. */
  readonly lockDurationMs: number;
  /** ms, system clock */
  readonly now: number;
}

const mailboxOfExternalTask = (state: State, { taskId }: { readonly taskId: string }): string | undefined =>
  state.get(externalTasks, taskId)?.instanceId;

/**
 * Takes one external task for a worker, as fetching does; one's own lock begins anew. Answers the task. Allowed to workers, supervisors and
 * administrators. @throws NOT_FOUND, BAD_REQUEST, FORBIDDEN, CONFLICT (another worker has it; no retries are left; its instance is suspended)
 */
export const lockExternalTask = operation<LockFor, ExternalTask>('lockExternalTask', (state, input, { caller }) => {
  const { taskId, lockDurationMs, now } = input;
  requireWorker(caller, 'lock external tasks');
  const workerId = requireWorkerId(input.workerId);
  requireDuration(lockDurationMs);
  const task = taskOf(state, taskId);
  activeInstance(state, task, 'lock an external task of');
  if (task.actor.value === 'locked' && !isFree(task, now) && task.lock?.workerId !== workerId)
    throw notLockedBy(task, 'lock', heldBy(task));
  const lock = { workerId, token: state.ids.next(), until: now + lockDurationMs, userId: caller.userId };
  const changes = new Changes();
  const locked = moveExternalTask(
    { changes, state },
    { ...task, lock, notBefore: null },
    { type: 'lock', isFree: true },
  );
  return changes.decision(locked);
});

/**
 * Lets a lock end later: so long from now. Answers the task. @throws NOT_FOUND, BAD_REQUEST, FORBIDDEN, CONFLICT (it is not this worker's, or has ended)
 */
export const extendExternalTaskLock = operation<LockFor, ExternalTask>(
  'extendExternalTaskLock',
  (state, input, { caller }) => {
    const { lockDurationMs, now } = input;
    requireDuration(lockDurationMs);
    const { task } = heldTask(state, input, caller, 'extend the lock of');
    const changes = new Changes();
    if (isFree(task, now)) throw notLockedBy(task, 'extend the lock of', 'its lock has ended');
    const lock = task.lock && { ...task.lock, until: now + lockDurationMs };
    return changes.decision(moveExternalTask({ changes, state }, { ...task, lock }, { type: 'extend', isFree: false }));
  },
);

/**
 * Gives a task back: others may take it at once. With a token or a worker's name it must be that one's. Answers the task; no error where nobody
 * has it. @throws NOT_FOUND, FORBIDDEN, CONFLICT (another worker has it)
 */
export const unlockExternalTask = operation<HeldTask, ExternalTask>(
  'unlockExternalTask',
  (state, input, { caller }) => {
    requireWorker(caller, 'unlock external tasks');
    const task = taskOf(state, input.taskId);
    if (task.actor.value !== 'locked') return { answer: task };
    if (input.lockToken != null || input.workerId != null) requireHeld(task, input, 'unlock');
    const changes = new Changes();
    return changes.decision(moveExternalTask({ changes, state }, { ...task, lock: null }, { type: 'unlock' }));
  },
);

/** Input of `completeExternalTask`. */
type CompleteExternalTask = HeldTask & Reported;

/**
 * Ends a task with its work done, and moves its instance on to where every token waits; answers the task as it was, completed.
 * @throws NOT_FOUND, BAD_REQUEST (a variable), FORBIDDEN, CONFLICT (another worker has it; its instance is suspended), EXECUTION_FAILED
 */
export const completeExternalTask = (services: EngineServices) =>
  instanceOperation<CompleteExternalTask, ExternalTask>(
    'completeExternalTask',
    (state, input, context) => {
      const held = heldTask(state, input, context.caller, 'complete');
      const scene = sceneOf(services, state, context);
      const run = { ...reported(input), taskId: held.task.id, ...factsOf(scene, held.task) };
      return ended(scene, held, { type: 'completeExternalTask', ...run });
    },
    mailboxOfExternalTask,
  );

/** Input of `externalTaskBpmnError`. */
interface ExternalTaskBpmnError extends HeldTask, Pick<Reported, 'variables'> {
  readonly errorCode: string;
  readonly errorMessage?: string | null;
}

/**
 * Ends a task with a BPMN error, which a boundary event catches; answers the task as it was, completed. @throws NOT_FOUND, BAD_REQUEST, FORBIDDEN,
 * CONFLICT (another worker has it; its instance is suspended), EXECUTION_FAILED (nothing catches it, among others: the task is the worker's as before)
 */
export const externalTaskBpmnError = (services: EngineServices) =>
  instanceOperation<ExternalTaskBpmnError, ExternalTask>(
    'externalTaskBpmnError',
    (state, input, context) => {
      const held = heldTask(state, input, context.caller, 'complete');
      const code = bounded('errorCode', input.errorCode, 'name') ?? '';
      if (code === '') throw badArgument('errorCode', 'the code of an error', code);
      const message = bounded('errorMessage', input.errorMessage, 'message');
      const variables = typedVariables(input.variables);
      const scene = sceneOf(services, state, context);
      return ended(scene, held, { type: 'externalTaskError', taskId: held.task.id, code, message, variables });
    },
    mailboxOfExternalTask,
  );

/** The run that ends the task. */
function ended(
  scene: RunScene,
  { task, instance }: Held,
  input: Parameters<typeof runInstance>[1]['input'],
): Decision<ExternalTask> | Asking {
  const command = input.type === 'completeExternalTask' ? input.type : 'externalTaskBpmnError';
  const end = runInstance(scene, { command, instance, event: 'step', input });
  return 'ask' in end ? end : scene.changes.decision(completed(task));
}

const completed = (task: ExternalTask): ExternalTask => ({ ...task, actor: { value: 'completed', context: {} } });

/** Input of `failExternalTask`. */
interface FailExternalTask extends HeldTask, Reported {
  /** How often it may still be tried; 0: an incident is opened. */
  readonly retries: number;
  /** How long nobody is given it, ms. Default 0. */
  readonly retryAfterMs?: number | null;
  readonly errorMessage?: string | null;
  readonly errorDetails?: string | null;
  /** ms, system clock */
  readonly now: number;
}

/** As much as is kept of what a worker says. */
const MESSAGE_MAX = 4_000;
const DETAILS_MAX = 65_536;

/**
 * Gives a task back that could not be done: it may be tried again after the back-off, or, without retries, waits for an operator with an incident. What
 * is reported may be a BPMN error by the model's own conditions. Answers the task as it is then.
 * @throws NOT_FOUND, BAD_REQUEST, FORBIDDEN, CONFLICT (another worker has it; its instance is suspended), EXECUTION_FAILED
 */
export const failExternalTask = (services: EngineServices) =>
  instanceOperation<FailExternalTask, ExternalTask>(
    'failExternalTask',
    (state, input, context) => {
      const { retries, retryAfterMs, now } = input;
      const { task, instance } = heldTask(state, input, context.caller, 'fail');
      requireCount('retries', retries, 0);
      requireCount('retryAfterMs', retryAfterMs ?? 0, 0);
      const scene = sceneOf(services, state, context);
      const failed: ExternalTask = {
        ...task,
        lock: null,
        notBefore: retryAfterMs ? now + retryAfterMs : null,
        retries,
        errorMessage: kept(input.errorMessage, MESSAGE_MAX),
        errorDetails: kept(input.errorDetails, DETAILS_MAX),
      };
      const facts = factsOf(scene, { ...failed, lock: task.lock });
      const set = reported(input);
      if (facts.facts !== undefined || isAny(set.variables) || isAny(set.localVariables)) {
        const run = { type: 'failExternalTask', taskId: task.id, ...set, ...facts } as const;
        const end = runInstance(scene, { command: 'failExternalTask', instance, event: 'step', input: run });
        if ('ask' in end) return end;
        if (scene.changes.current(state, externalTasks, task.id) === undefined)
          return scene.changes.decision(completed(task));
      }
      return scene.changes.decision(moveExternalTask(scene, failed, { type: 'fail', retries }));
    },
    mailboxOfExternalTask,
  );

/** What a worker says of a failure is no reason to refuse it: it is cut, and what no store keeps is left out. */
const kept = (text: string | null | undefined, max: number): string | null =>
  text == null ? null : text.slice(0, max).replace(/\0|\p{Cs}/gu, '\uFFFD');

/** Input of `setExternalTaskRetries`. */
interface SetExternalTaskRetries {
  readonly taskId: string;
  /** From 0 to 1,000. */
  readonly retries: number;
}

/**
 * Says how often a task may still be tried. One without retries may be taken at once, and its incident is resolved; 0 keeps an open one from
 * workers, with an incident. Answers the task. Allowed to supervisors and administrators.
 * @throws FORBIDDEN, BAD_REQUEST (retries), NOT_FOUND, CONFLICT (0, and a worker has it)
 */
export const setExternalTaskRetries = operation<SetExternalTaskRetries, ExternalTask>(
  'setExternalTaskRetries',
  (state, { taskId, retries }, { caller }) => {
    requireSupervisor(caller, 'set retries of external tasks');
    requireCount('retries', retries, 0);
    const changes = new Changes();
    const task = taskOf(state, taskId);
    if (retries === 0 && task.actor.value === 'failed') return { answer: task };
    return changes.decision(
      moveExternalTask({ changes, state }, { ...task, retries }, { type: 'setRetries', retries }),
    );
  },
  mailboxOfExternalTask,
);

const RETRIES_MAX = 1_000;

/** @throws BAD_REQUEST */
function requireCount(argument: 'retries' | 'retryAfterMs', value: number, least: number): void {
  const most = argument === 'retries' ? RETRIES_MAX : Number.MAX_SAFE_INTEGER / 2;
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  throw badArgument(argument, `a whole number from ${least}${argument === 'retries' ? ` to ${most}` : ''}`, value);
}

interface Held {
  readonly task: ExternalTask;
  readonly instance: ProcessInstance;
}

/** The task, which the caller's worker has, with its active instance. @throws FORBIDDEN, NOT_FOUND, CONFLICT */
function heldTask(state: State, input: HeldTask, caller: Caller, wanted: string): Held {
  requireWorker(caller, `${wanted} external tasks`);
  const task = taskOf(state, input.taskId);
  requireHeld(task, input, wanted);
  return { task, instance: activeInstance(state, task, `${wanted} an external task of`) };
}

function taskOf(state: State, id: string): ExternalTask {
  const task = state.get(externalTasks, id);
  if (task === undefined || presentTask(state, task) === undefined) throw externalTaskNotFound(id);
  return task;
}

function activeInstance(state: State, { instanceId }: ExternalTask, wanted: string): ProcessInstance {
  const instance = presentInstance(state, instanceId);
  if (instance === undefined) throw instanceNotFound(instanceId);
  if (instance.actor.value !== 'active') throw instanceNotIn(instance, wanted);
  return instance;
}

/** A lock that has ended counts until another worker has taken the task. @throws CONFLICT */
function requireHeld(task: ExternalTask, { lockToken, workerId }: HeldTask, wanted: string): void {
  const { lock, actor } = task;
  const isHolder = lockToken == null ? workerId === lock?.workerId : lockToken === lock?.token;
  if (actor.value === 'locked' && lock !== null && isHolder) return;
  throw notLockedBy(task, wanted, heldBy(task));
}

const heldBy = ({ actor, lock }: ExternalTask): string =>
  actor.value === 'locked' ? `it is locked by worker '${lock?.workerId}'` : `it is ${actor.value}`;

const isFree = ({ lock }: ExternalTask, now: number): boolean => lock === null || lock.until <= now;

const reported = ({ variables, localVariables }: Reported) => ({
  variables: typedVariables(variables),
  localVariables: typedVariables(localVariables),
});

const isAny = (variables: object): boolean => Object.keys(variables).length > 0;

/** What the conditions of the model's error definitions see of the task; nothing where there are none. */
function factsOf(
  { services, state }: Pick<RunScene, 'services' | 'state'>,
  task: ExternalTask,
): { facts?: ExternalFacts } {
  const element = services.programs.of(state, task.definitionId).elements[task.element];
  if (element === undefined || externalOf(element)?.errors === undefined) return {};
  const { topic, priority, lock, retries, errorMessage, errorDetails } = task;
  return { facts: { topic, priority, workerId: lock?.workerId ?? null, retries, errorMessage, errorDetails } };
}
