import type { JobAttempt, Operation, State } from '../../store/index.js';
import {
  externalTasks,
  instanceParts,
  jobs,
  type ProcessInstance,
  processInstances,
  subscriptions,
  tasks,
} from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { externalTaskEvent } from '../events.js';
import { followCaller } from '../run/called-instance.js';
import type { Changes } from '../run/changes.js';
import { presentInstance } from '../run/instance-changes.js';
import { instanceWork, type JobResult } from '../run/job-operation.js';
import { clearingJob, type Following, followingJob, isUnheld } from '../run/large-instance-jobs.js';
import { type RunScene, runInstance } from '../run/run-instance.js';

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

type Follower = (
  scene: RunScene,
  instance: ProcessInstance,
  after: FollowingInput['after'],
) => readonly [number | string, string] | undefined;

/** Each takes a page along, and gives the last one where there may be more. */
const FOLLOWERS: Readonly<Record<FollowingInput['of'], Follower>> = {
  tasks: ({ state, changes }, instance, after) => {
    const suspended = instance.actor.value === 'suspended';
    const found = state.range(tasks, 'instance', [instance.id, ...(after ?? [])], FOLLOWED_MAX);
    const own = found.filter((it) => it.instanceId === instance.id && it.id !== after?.[1]);
    for (const task of own) if (task.suspended !== suspended) changes.put(tasks, { ...task, suspended });
    const last = found.length < FOLLOWED_MAX ? undefined : own.at(-1);
    return last && [last.created, last.id];
  },
  externalTasks: ({ state, changes }, instance, after) => {
    const { businessKey } = instance;
    const suspended = instance.actor.value === 'suspended';
    const found = state.range(externalTasks, 'instance', [instance.id, ...(after ?? [])], FOLLOWED_MAX);
    const own = found.filter((it) => it.instanceId === instance.id && it.id !== after?.[1]);
    for (const task of own) {
      if (task.suspended === suspended && task.businessKey === businessKey) continue;
      changes.put(externalTasks, { ...task, suspended, businessKey });
      if (task.suspended && !suspended && task.actor.value === 'open')
        changes.event(externalTaskEvent('opened', task, state.now));
    }
    const last = found.length < FOLLOWED_MAX ? undefined : own.at(-1);
    return last && [last.created, last.id];
  },
  jobs: ({ state, changes }, instance, after) => {
    const suspended = instance.actor.value === 'suspended';
    const found = state.range(jobs, 'instance', [instance.id, ...(after ?? [])], FOLLOWED_MAX);
    const own = found.filter((it) => it.instanceId === instance.id && it.id !== after?.[1]);
    for (const job of own) {
      if (!isUnheld(job) && job.suspended !== suspended && job.actor.value !== 'running')
        changes.put(jobs, { ...job, suspended });
    }
    const last = found.length < FOLLOWED_MAX ? undefined : own.at(-1);
    return last && [last.dueAt, last.id];
  },
  subscriptions: ({ state, changes }, { id: instanceId, businessKey }, after) => {
    const found = state.range(subscriptions, 'instance', [instanceId, ...(after ?? [])], FOLLOWED_MAX);
    const own = found.filter((it) => it.instanceId === instanceId && it.id !== after?.[1]);
    for (const it of own) if (it.businessKey !== businessKey) changes.put(subscriptions, { ...it, businessKey });
    const last = found.length < FOLLOWED_MAX ? undefined : own.at(-1);
    return last && [last.eventName, last.id];
  },
  called: (scene, { id: callerId }, after) => {
    const found = scene.state.range(processInstances, 'caller', [callerId, ...(after ?? [])], FOLLOWED_MAX);
    const own = found.filter((it) => it.calledBy?.instanceId === callerId && it.id !== after?.[1]);
    for (const called of own) followCaller(scene, called);
    const last = found.length < FOLLOWED_MAX ? undefined : own.at(-1);
    return last && [last.startTime, last.id];
  },
};
