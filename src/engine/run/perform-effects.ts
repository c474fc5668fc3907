import { parseRetryCycle } from '../../expression/index.js';
import { limitExceeded } from '../../shared/errors.js';
import { incidentOf, incidents, type State } from '../../store/index.js';
import {
  decisionDefinitions,
  externalTasks,
  jobSubject,
  type NewJob,
  type ProcessInstance,
  SOUGHT_SINCE,
  type Subscription,
  soughtSince,
  subscriptions,
  tasks,
} from '../collections.js';
import type { Effect, RunJob } from '../element/instance-state.js';
import type { Path } from '../element/large-scope.js';
import type { CallInput } from '../handlers.js';
import { elementAt } from '../model/elements.js';
import type { Program } from '../model/program.js';
import { lookForBuffered } from './buffered-messages.js';
import { forgettingJob } from './bundles.js';
import { dropCalled, startInput, tellCaller } from './called-instance.js';
import type { Changes } from './changes.js';
import { createExternalTask, executionOf, stepExternalTask } from './external-task-changes.js';
import { changeIncident, reportIncident } from './instance-changes.js';
import { clearingJob, followingMoveJob, isLarge, rekeyLarge } from './large-instance-jobs.js';
import { moveWaiting } from './migrated-documents.js';
import { causeOf } from './new-job.js';
import { noteDecision } from './note-decision.js';
import { createTask, moveTask, updateTask } from './task-changes.js';
import { throwMessage, throwSignal } from './throw-to-others.js';

/** Scene in which effects are performed. */
interface EffectScene {
  readonly state: State;
  readonly changes: Changes;
  /** As it is after the run. */
  readonly instance: ProcessInstance;
  readonly program: Program;
  /** Where a token is, if that is in a large scope. */
  readonly pathOf: (tokenId: number) => Path | undefined;
  /** How many more incidents the instance has: some go with their jobs, one comes where the run has stalled. */
  incidents: number;
}

type EffectOf<T extends Effect['type']> = Extract<Effect, { type: T }>;

/** Turns what a run did to the world into documents, events and jobs. */
export function performEffects(scene: EffectScene, effects: readonly Effect[]): void {
  for (const effect of effects) perform(scene, effect);
}

function perform(scene: EffectScene, effect: Effect): void {
  const { changes, program } = scene;
  if (effect.type === 'moved') return moveWaiting(scene, effect);
  switch (effect.type) {
    case 'createTask':
      createTask(
        taskScene(scene),
        elementAt(program, effect.task.element),
        effect.task,
        scene.pathOf(effect.task.tokenId),
      );
      break;
    case 'updateTask':
    case 'endTask':
      performOnTask(scene, effect);
      break;
    case 'createExternalTask':
      createExternalTask(scene, elementAt(program, effect.task.element), effect.task);
      break;
    case 'endExternalTask':
      endExternalTask(scene, effect);
      break;
    case 'createJob':
      createJob(scene, effect.job);
      break;
    case 'removeJob':
      changes.dropJob(effect.jobId);
      resolveIncidents(scene, effect.jobId);
      break;
    case 'subscribe':
      subscribe(scene, effect);
      break;
    case 'unsubscribe':
      changes.remove(subscriptions, effect.subscriptionId);
      break;
    case 'throwSignal':
      throwSignal(scene, effect);
      break;
    case 'throwMessage':
      throwMessage(scene, effect);
      break;
    case 'cancelCalled':
      dropCalled(scene, effect.instanceId);
      resolveIncidents(scene, effect.instanceId);
      break;
    case 'return':
    case 'escalate':
      tellOfCalled(scene, effect);
      break;
    case 'businessKey':
      return rekey(scene);
    case 'decided':
      keepDecision(scene, effect);
      break;
    case 'abandon':
    case 'defer':
    case 'discard':
      leaveForLater(scene, effect);
      break;
    case 'ended':
      break; // The instance's own state says so.
  }
}

function leaveForLater(
  { changes, state, instance }: EffectScene,
  effect: EffectOf<'abandon' | 'defer' | 'discard'>,
): void {
  if (effect.type === 'abandon') changes.job(clearingJob(state, instance, effect.scope));
  else if (effect.type === 'defer')
    changes.job(followingMoveJob(state, instance, { until: effect.until, after: null }));
  else if (effect.bundles.length > 0) changes.job(forgettingJob(state, instance, effect.bundles));
}

function keepDecision({ state, changes, instance }: EffectScene, effect: EffectOf<'decided'>): void {
  const { definitionId, elementId: activityId, activity, outcome } = effect;
  noteDecision(changes, {
    id: state.ids.next(),
    definition: state.get(decisionDefinitions, definitionId) ?? { id: definitionId, name: null },
    time: state.now,
    userId: instance.startUserId,
    outcome,
    place: {
      instanceId: instance.id,
      processDefinitionId: instance.definitionId,
      activityId,
      activityInstanceId: activity === null ? null : `${instance.id}:${activity}`,
    },
  });
}

/** What waits for messages, and for workers, is found by the instance's business key. */
function rekey({ state, changes, instance }: EffectScene): void {
  const { businessKey } = instance;
  if (isLarge(instance)) return rekeyLarge(changes, state, instance);
  for (const { id } of state.find(subscriptions, 'instance', [instance.id])) {
    const found = changes.current(state, subscriptions, id);
    if (found !== undefined && found.businessKey !== businessKey) changes.put(subscriptions, { ...found, businessKey });
  }
  for (const { id } of state.find(externalTasks, 'instance', [instance.id])) {
    const found = changes.current(state, externalTasks, id);
    if (found !== undefined && found.businessKey !== businessKey) changes.put(externalTasks, { ...found, businessKey });
  }
}

function tellOfCalled(scene: EffectScene, { type, ...told }: EffectOf<'return' | 'escalate'>): void {
  tellCaller(scene, type === 'return' ? 'returnCalled' : 'escalateCalled', told);
}

function performOnTask(scene: EffectScene, effect: EffectOf<'updateTask' | 'endTask'>): void {
  const task = scene.changes.current(scene.state, tasks, effect.taskId);
  if (task === undefined) return;
  if (effect.type === 'updateTask') updateTask(taskScene(scene), task, effect.task);
  else moveTask(taskScene(scene), task, { type: effect.outcome === 'completed' ? 'complete' : 'cancel' });
}

function endExternalTask(scene: EffectScene, { taskId, isCancelled }: EffectOf<'endExternalTask'>): void {
  const task = scene.changes.current(scene.state, externalTasks, taskId);
  if (task === undefined) return;
  scene.incidents += stepExternalTask(scene, task, { type: isCancelled ? 'cancel' : 'complete' }).incidents;
}

const taskScene = ({ state, changes, instance }: EffectScene) => ({ changes, instance, now: state.now });

/** Whatever failed in a job that is not wanted any more needs no operator. */
function resolveIncidents(scene: EffectScene, jobId: string): void {
  if (scene.instance.incidentCount === 0) return;
  for (const incident of scene.state.find(incidents, 'job', [jobId])) {
    changeIncident(scene.changes, incident, { type: 'resolve' });
    scene.incidents--;
  }
}

/** The job of a run that has stalled is dead until an operator gives it new retries. */
function createJob(scene: EffectScene, job: RunJob): void {
  const { state, changes } = scene;
  const made = jobOf(scene, job);
  if (job.stalled === undefined) return changes.job(made);
  const failure = hasStalled(made, job.stalled);
  const incident = incidentOf(state, { id: made.id, failure }, jobSubject.incident(jobSubject.of(made)));
  changes.job({ ...made, failure });
  reportIncident(changes, incident);
  scene.incidents++;
}

const hasStalled = ({ instanceId, activityId }: Pick<NewJob, 'instanceId' | 'activityId'>, steps: number) => ({
  message:
    `expected process instance '${instanceId}' to come to a user task, a call, a later timer, or a message or signal from outside, ` +
    `but it took ${steps} steps without one and was about to enter '${activityId}'; given new retries, it may take as many again`,
  code: 'EXECUTION_FAILED',
});

function subscribe(
  { state, changes, instance, program, pathOf }: EffectScene,
  { subscription }: EffectOf<'subscribe'>,
): void {
  const { id, eventType, eventName, element, tokenId } = subscription;
  const within = pathOf(tokenId);
  const made: Subscription = {
    id,
    eventType,
    eventName,
    instanceId: instance.id,
    businessKey: instance.businessKey,
    definitionId: instance.definitionId,
    definitionKey: instance.definitionKey,
    elementId: elementAt(program, element).id,
    executionId: executionOf({ instanceId: instance.id, tokenId }),
    ...(within && { within }),
    created: state.now,
    revision: state.revision,
  };
  changes.create(subscriptions, made);
  if (changes.current(state, soughtSince, SOUGHT_SINCE) === undefined)
    changes.create(soughtSince, { id: SOUGHT_SINCE, subscriptionId: id, revision: state.revision });
  lookForBuffered({ state, changes }, made, causeOf(instance));
}

function jobOf(scene: EffectScene, job: RunJob) {
  const { instance, program, pathOf } = scene;
  const { id, type, dueAt, immediate, retryCycle } = job;
  const within = pathOf(job.tokenId);
  return {
    id,
    type: JOB_TYPES[type],
    dueAt,
    immediate,
    exclusive: job.exclusive ? instance.id : null,
    retryCycle,
    priority: job.priority,
    ...(retryCycle !== null && { retries: parseRetryCycle(retryCycle).retries }),
    ...placeOf(instance),
    cause: causeOf(instance),
    ...(instance.actor.value === 'suspended' && { suspended: true }),
    activityId: elementAt(program, job.element).id,
    executionId: executionOf({ instanceId: instance.id, tokenId: job.tokenId }),
    input: { ...(within && { within }), ...(job.repeat && { cycle: true }), ...inputOf(scene, job) },
  } satisfies NewJob;
}

const JOB_TYPES = {
  timer: 'timer',
  continuation: 'continuation',
  call: 'call',
  called: 'startCalled',
  undo: 'undoCalled',
} as const satisfies Record<RunJob['type'], string>;

/** Characters of JSON up to which a job keeps the variables of its call; of larger ones it looks up the instance's when it runs. */
const CALL_VARIABLES_MAX = 16_384;
/** The most that the fields of a call may be. */
const CALL_FIELDS_MAX = 65_536;

function inputOf(scene: EffectScene, { id, tokenId, call, called, undoes }: RunJob): object {
  if (called !== undefined) return startInput(scene, id, called);
  if (undoes !== undefined) return undoes;
  return call === undefined ? {} : callInput(scene.instance, tokenId, call);
}

function callInput(
  { businessKey }: ProcessInstance,
  tokenId: number,
  { handler, fields, variables }: NonNullable<RunJob['call']>,
): CallInput {
  if (JSON.stringify(fields).length > CALL_FIELDS_MAX) {
    throw limitExceeded(`expected at most ${CALL_FIELDS_MAX} characters in the fields of handler '${handler}'`);
  }
  const small = JSON.stringify(variables).length <= CALL_VARIABLES_MAX;
  return { handler, fields, businessKey, tokenId, variables: small ? variables : null };
}

/** Which instance a job is about. */
const placeOf = ({ id, definitionId, definitionKey }: ProcessInstance) => ({
  instanceId: id,
  definitionId,
  definitionKey,
});
