import type { Collection, Document, JobAttempt, Operation, State } from '../../store/index.js';
import {
  externalTasks,
  instanceParts,
  jobs,
  type ProcessInstance,
  processInstances,
  subscriptions,
  tasks,
} from '../collections.js';
import { isAwaited } from '../element/large-scope.js';
import type { EngineServices } from '../engine-services.js';
import { externalTaskEvent } from '../events.js';
import { followCaller } from '../run/called-instance.js';
import type { Changes } from '../run/changes.js';
import { presentInstance } from '../run/instance-changes.js';
import { instanceWork, type JobResult } from '../run/job-operation.js';
import { clearingJob, type Following, followingJob, isUnheld } from '../run/large-instance-jobs.js';
import { runInstance } from '../run/run-instance.js';
import type { RunScene } from '../run/told-context.js';

// What hangs on a large instance follows it by jobs, page by page: it counts at once, for whoever looks at it asks the instance.

/** Tokens that one decision clears away, with what they wait for. */
const CLEARED_MAX = 50;

/** Input of the job that clears a scope. */
interface ClearingInput {
  readonly scope: number;
}

/**
 * The next tokens that rested in a large scope as it was left are cleared away: their tasks, jobs and subscriptions go, their history is written, and
 * their listeners are told, unless the instance was cancelled. Listeners that fail are told no more in the next attempt. Sent by the job.
 */
export const clearScope = (services: EngineServices): Operation<JobAttempt, JobResult> =>
  instanceWork(services, 'clearScope', (scene, job, attempt) => {
    const { state } = scene;
    const { scope } = job.input as ClearingInput;
    const instance = presentInstance(state, job.instanceId ?? '');
    if (instance?.state.scopes.some(({ id, abandoned }) => id === scope && abandoned) !== true) return 'gone';
    const parts = state
      .range(instanceParts, 'instance', [instance.id, scope], CLEARED_MAX)
      .filter((part) => part.instanceId === instance.id && part.scope === scope);
    // What a migration is still to lead here is cleared away when it has come.
    if (parts.length === 0 && isAwaited(instance.state, scope)) return 'done';
    const within = parts.map((part) => part.within);
    const tokens = within.map((path) => path.at(-1)?.[1] ?? 0);
    const silent = attempt > 1;
    const input = { type: 'clear', scope, tokens, ...(silent && { silent }) } as const;
    const end = runInstance(scene, { command: 'clearScope', instance, event: 'clear', input, within });
    if (!('ask' in end)) goOn(scene, end.instance, scope);
    return end;
  });

/** With the last scope of an instance that has ended, jobs go that nobody would ever wake. */
function goOn({ state, changes }: RunScene, instance: ProcessInstance, scope: number): void {
  const left = instance.state.scopes.filter(({ abandoned }) => abandoned !== undefined);
  if (left.some(({ id }) => id === scope)) changes.job(clearingJob(state, instance, scope));
  else if (left.length === 0 && instance.endTime !== null) dropJobs(state, changes, instance.id);
}

const DROPPED_MAX = 1_000;

function dropJobs(state: State, changes: Changes, instanceId: string): void {
  for (const job of state.range(jobs, 'instance', [instanceId], DROPPED_MAX)) {
    if (job.instanceId === instanceId && job.suspended) changes.dropJob(job.id);
  }
}

/** Documents that one decision takes along. */
const FOLLOWED_MAX = 200;

/** Called instances that one decision takes along: each of them follows by a decision of its own, and all of those come together. */
const CALLED_MAX = 20;

/** Input of the job by which things follow their instance. */
interface FollowingInput {
  readonly of: Following;
  /** The last that was reached: the time or name by which it is found, and its id; null: none was. */
  readonly after: readonly [number | string, string] | null;
}

/** The next tasks, jobs, called instances or subscriptions of a large instance are suspended or woken, or found by its business key, as it is by now. Sent by the job. */
export const followInstance = (services: EngineServices): Operation<JobAttempt, JobResult> =>
  instanceWork(services, 'followInstance', (scene, job) => {
    const { state, changes } = scene;
    const instance = presentInstance(state, job.instanceId ?? '');
    if (instance?.endTime !== null) return 'gone';
    const { of, after } = job.input as FollowingInput;
    const last = FOLLOWERS[of](scene, instance, after);
    if (last !== undefined) changes.job(followingJob(state, instance, { of, after: last }));
    return 'done';
  });

/** A kind of documents: how they follow the large instance that they hang on. */
interface Kind<T extends Document> {
  readonly collection: Collection<T>;
  /** By which those of an instance are found, in the order of `at`. Default `instance`. */
  readonly index?: string;
  readonly instanceOf: (one: T) => string | null | undefined;
  readonly at: (one: T) => number | string;
  /** How many one decision takes along. Default {@link FOLLOWED_MAX}. */
  readonly atOnce?: number;
  readonly follow: (scene: RunScene, one: T, instance: ProcessInstance) => void;
}

type Follower = (
  scene: RunScene,
  instance: ProcessInstance,
  after: FollowingInput['after'],
) => FollowingInput['after'] | undefined;

/** Takes a page along, and gives the last one where there may be more. */
const follower =
  <T extends Document>({
    collection,
    index = 'instance',
    instanceOf,
    at,
    atOnce = FOLLOWED_MAX,
    follow,
  }: Kind<T>): Follower =>
  (scene, instance, after) => {
    const found = scene.state.range(collection, index, [instance.id, ...(after ?? [])], atOnce);
    const own = found.filter((it) => instanceOf(it) === instance.id && it.id !== after?.[1]);
    for (const one of own) follow(scene, one, instance);
    const last = found.length < atOnce ? undefined : own.at(-1);
    return last && [at(last), last.id];
  };

const isSuspended = ({ actor }: ProcessInstance): boolean => actor.value === 'suspended';

const FOLLOWERS: Readonly<Record<FollowingInput['of'], Follower>> = {
  tasks: follower({
    collection: tasks,
    instanceOf: (task) => task.instanceId,
    at: (task) => task.created,
    follow({ changes }, task, instance) {
      const suspended = isSuspended(instance);
      if (task.suspended !== suspended) changes.put(tasks, { ...task, suspended });
    },
  }),
  externalTasks: follower({
    collection: externalTasks,
    instanceOf: (task) => task.instanceId,
    at: (task) => task.created,
    follow({ state, changes }, task, instance) {
      const { businessKey } = instance;
      const suspended = isSuspended(instance);
      if (task.suspended === suspended && task.businessKey === businessKey) return;
      changes.put(externalTasks, { ...task, suspended, businessKey });
      if (task.suspended && !suspended && task.actor.value === 'open')
        changes.event(externalTaskEvent('opened', task, state.now));
    },
  }),
  jobs: follower({
    collection: jobs,
    instanceOf: (job) => job.instanceId,
    at: (job) => job.dueAt,
    follow({ changes }, job, instance) {
      const suspended = isSuspended(instance);
      if (!isUnheld(job) && job.suspended !== suspended && job.actor.value !== 'running')
        changes.put(jobs, { ...job, suspended });
    },
  }),
  subscriptions: follower({
    collection: subscriptions,
    instanceOf: (it) => it.instanceId,
    at: (it) => it.eventName,
    follow({ changes }, it, { businessKey }) {
      if (it.businessKey !== businessKey) changes.put(subscriptions, { ...it, businessKey });
    },
  }),
  called: follower({
    collection: processInstances,
    index: 'caller',
    instanceOf: (it) => it.calledBy?.instanceId,
    at: (it) => it.startTime,
    atOnce: CALLED_MAX,
    follow: followCaller,
  }),
};
