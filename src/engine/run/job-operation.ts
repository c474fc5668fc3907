import {
  AFTER_OTHERS,
  type Asking,
  type Decision,
  type JobAttempt,
  type Operation,
  type State,
  takeOutcome,
} from '../../store/index.js';
import { isGone, type Job, jobs, type ProcessInstance, pathOfJob } from '../collections.js';
import type { Input } from '../element/instance-state.js';
import type { EngineServices } from '../engine-services.js';
import { Changes } from './changes.js';
import { holdJob, presentInstance } from './instance-changes.js';
import { instanceOperation, sceneOf, startOperation } from './instance-operation.js';
import { type RunEnd, runInstance } from './run-instance.js';
import type { RunScene } from './told-context.js';

/** Result of a job: done; `held`, because its instance or definition is suspended; `gone`, because nothing wants it any more. */
export type JobResult = 'done' | 'held' | 'gone';

/** Kind of job that moves its instance. */
interface InstanceJob<I extends JobAttempt> {
  readonly name: string;
  /** Input that moves the instance; null: nothing wants it any more. */
  readonly input: (state: State, job: Job, input: I) => Input | null;
  /** Input that a held job keeps, so that its work need not be done again. Default: the one it had. */
  readonly held?: (job: Job, input: I) => unknown;
}

/** The mailbox of a job's outcome: its instance's. */
const mailboxOfJob = (state: State, { jobId }: JobAttempt): string | undefined =>
  state.get(jobs, jobId)?.instanceId ?? undefined;

/**
 * The outcome of a job of an instance: moves the instance, or is held while that is suspended. A failing expression, script or gateway is
 * thrown, and so counts as a failed attempt. @throws CONFLICT (another attempt), EXECUTION_FAILED
 */
export function instanceJob<I extends JobAttempt>(
  services: EngineServices,
  { name, input, held }: InstanceJob<I>,
): Operation<I, JobResult> {
  return instanceOperation<I, JobResult>(
    name,
    (state, outcome: I, context) => {
      const { job, done } = takeOutcome(state, outcome, jobs);
      const scene = sceneOf(services, state, context);
      const instance = instanceOf(state, job);
      const isWanted = instance !== undefined && !isGone(state, instance, { id: job.id, within: pathOfJob(job) });
      const moved = isWanted ? input(state, job, outcome) : null;
      if (instance === undefined || moved === null) return { write: [done], answer: 'gone' };
      if (instance.actor.value === 'suspended') return waiting(scene, job, held?.(job, outcome));
      scene.changes.add([done]);
      const end: RunEnd = runInstance(scene, { command: name, instance, event: 'step', input: moved });
      if (isToWait(end)) return waiting(sceneOf(services, state, context), job, held?.(job, outcome));
      return 'ask' in end ? end : scene.changes.decision('done');
    },
    mailboxOfJob,
  );
}

/** A job that moves its instance otherwise than by a step, suspended or not: it is done when `work` has decided; an ask is asked. */
export function instanceWork(
  services: EngineServices,
  name: string,
  work: (scene: RunScene, job: Job, attempt: number) => RunEnd | JobResult,
): Operation<JobAttempt, JobResult> {
  return instanceOperation<JobAttempt, JobResult>(
    name,
    (state, outcome, context) => decidedBy(sceneOf(services, state, context), outcome, work),
    mailboxOfJob,
  );
}

/** A job that belongs to no single instance, though it may start one: it is done when `work` has decided; an ask is asked. */
export function partitionJob(
  services: EngineServices,
  name: string,
  work: (scene: RunScene, job: Job) => RunEnd | JobResult,
): Operation<JobAttempt, JobResult> {
  return startOperation(name, (state, outcome: JobAttempt, context) =>
    decidedBy(sceneOf(services, state, context), outcome, work),
  );
}

function decidedBy(
  scene: RunScene,
  outcome: JobAttempt,
  work: (scene: RunScene, job: Job, attempt: number) => RunEnd | JobResult,
): Decision<JobResult> | Asking {
  const { job, done } = takeOutcome(scene.state, outcome, jobs);
  scene.changes.add([done]);
  const end = work(scene, job, outcome.attempt);
  if (typeof end === 'string') return scene.changes.decision(end);
  if (isToWait(end)) return waiting({ ...scene, changes: new Changes() }, job);
  return 'ask' in end ? end : scene.changes.decision('done');
}

/** Whether the instance is to be followed first: that wakes the job. No other one of the instance would run while this one did. */
const isToWait = (end: RunEnd): boolean => 'ask' in end && end.ask.kind === AFTER_OTHERS;

function waiting(scene: RunScene, job: Job, input?: unknown): Decision<JobResult> {
  holdJob(scene, job, input);
  return scene.changes.decision('held');
}

/** The running instance that a job is about. */
function instanceOf(state: State, { instanceId }: Job): ProcessInstance | undefined {
  const instance = instanceId === null ? undefined : presentInstance(state, instanceId);
  return instance?.endTime === null ? instance : undefined;
}
