import { ServiceError } from '../../shared/errors.js';
import { incidents, type State } from '../../store/index.js';
import { type Job, jobs, type NewJob, type ProcessInstance, processInstances } from '../collections.js';
import { largeScopes } from '../element/large-scope.js';
import type { Changes } from './changes.js';
import { jobOfInstance, type Making } from './new-job.js';

/** A job that writes what counts already, whoever looks at it. */
export const jobBehind = (making: Making, instance: ProcessInstance) => ({
  ...jobOfInstance(making, instance),
  isBehind: true,
});

/** The job that clears away what rested in a large scope when it was left. */
export const clearingJob = (making: Making, instance: ProcessInstance, scope: number) =>
  ({ ...jobBehind(making, instance), type: 'clearing', input: { scope } }) satisfies NewJob;

/** The job by which what hangs on a large instance follows it: tasks, jobs or subscriptions their large instance. */
export const followingJob = (
  making: Making,
  instance: ProcessInstance,
  input: {
    readonly of: Following;
    readonly after: readonly [number | string, string] | null;
  },
) => ({ ...jobBehind(making, instance), type: 'following', input }) satisfies NewJob;

/** Documents of a large instance that follow it by jobs. */
export type Following = 'tasks' | 'externalTasks' | 'jobs' | 'subscriptions' | 'called';

/** Jobs that are done for an instance also while it is suspended: they take along what hangs on it, or bring what another one has to say. */
export const isUnheld = ({ type }: Pick<Job, 'type'>): boolean => UNHELD.has(type);

const UNHELD: ReadonlySet<string> = new Set([
  'following',
  'followingMove',
  'clearing',
  'forgetting',
  'suspension',
  'cancelCalled',
  'followCaller',
]);

/** The job by which what rests in large scopes follows its instance. No other job of the instance keeps it from that: what one does may wait for it. */
export const followingMoveJob = (
  making: Making,
  instance: ProcessInstance,
  input: { readonly until: number; readonly after: readonly [number, string] | null },
) => ({ ...jobBehind(making, instance), exclusive: null, type: 'followingMove', input }) satisfies NewJob;

/** Something waits until all that rests has followed its instance: the job that takes it along is to have a try left. @throws CONFLICT */
export function requireFollowing(state: State, instanceId: string, expected: string): void {
  if (!isStuck(state, instanceId)) return;
  throw new ServiceError('CONFLICT', `${expected}, but the job that takes it along has failed for good`, {
    reason: 'migration_stuck',
    resourceId: instanceId,
  });
}

/** Whether the job that takes along what rests has failed for good: an incident tells so. */
export function isStuck(state: State, instanceId: string): boolean {
  if (state.get(processInstances, instanceId)?.incidentCount === 0) return false;
  const found = state.find(incidents, 'instance', [instanceId]);
  return found.some(({ jobId }) => state.get(jobs, jobId ?? '')?.type === 'followingMove');
}

/** Whether more hangs on the instance than one decision can take along. */
export const isLarge = ({ state }: Pick<ProcessInstance, 'state'>): boolean => largeScopes(state) !== undefined;

/** Makes jobs that give the subscriptions and external tasks of a large instance its new business key. */
export function rekeyLarge(changes: Changes, making: Making, instance: ProcessInstance): void {
  for (const of of ['subscriptions', 'externalTasks'] as const)
    changes.job(followingJob(making, instance, { of, after: null }));
}
