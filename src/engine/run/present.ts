import type { State } from '../../store/index.js';
import {
  type ExternalTask,
  isGone,
  type Job,
  type ProcessInstance,
  pathOfJob,
  processDefinitions,
  type Subscription,
  type Task,
} from '../collections.js';
import type { Path } from '../element/large-scope.js';
import { presentInstance } from './instance-changes.js';

// What hangs on an instance, as it is by now: a sweep over the definition counts from the moment it was ordered, and what a large instance leaves behind
// is gone, whether it is written yet or not.

type Reader = Pick<State, 'get'>;

/** The task, a user's or a worker's, as it is by now. Undefined: it was left behind. */
export function presentTask<T extends Task | ExternalTask>(state: Reader, task: T): T | undefined {
  const isSwept = (state.get(processDefinitions, task.definitionId)?.sweep ?? null) !== null;
  if (!isSwept && task.within === undefined) return task;
  const instance = presentInstance(state, task.instanceId);
  if (instance === undefined) return task;
  return isGone(state, instance, task) ? undefined : { ...task, suspended: isSuspended(instance) };
}

/** The job as it is by now. Undefined: it was left behind. */
export function presentJob(state: Reader, job: Job): Job | undefined {
  const within = pathOfJob(job);
  const instance = instanceAround(state, { ...job, within });
  if (instance === undefined) return job;
  return isGone(state, instance, { id: job.id, within }) ? undefined : { ...job, suspended: isSuspended(instance) };
}

/** The subscription, unless it was left behind. */
export function presentSubscription(state: Reader, subscription: Subscription): Subscription | undefined {
  const instance = instanceAround(state, subscription);
  return instance !== undefined && isGone(state, instance, subscription) ? undefined : subscription;
}

const isSuspended = ({ actor }: ProcessInstance): boolean => actor.value === 'suspended';

/** The instance of what is in one of its large scopes. */
const instanceAround = (
  state: Reader,
  { instanceId, within }: { readonly instanceId: string | null; readonly within?: Path | undefined },
): ProcessInstance | undefined =>
  instanceId === null || within === undefined ? undefined : presentInstance(state, instanceId);
