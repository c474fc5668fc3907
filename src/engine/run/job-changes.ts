import { type Job, type JobDomain, type JobEvent, jobs, moveJob, type State } from '../../store/index.js';
import type { Changes } from './changes.js';

/** Takes a job through an event, with all that this causes. @throws CONFLICT (its state does not accept it) */
export function changeJob({ changes, state }: JobScene, job: Job, event: JobEvent, domain?: JobDomain): void {
  const { write, events } = moveJob(state, job, event, domain);
  changes.add(write);
  changes.event(...events);
}

interface JobScene {
  readonly changes: Changes;
  readonly state: State;
}

/** Gives a running job back without counting a failure: it waits until its instance or definition is active again. */
export const holdJob = (scene: JobScene, job: Job, input: unknown = job.input): void =>
  changeJob(scene, { ...job, input, suspended: true }, { type: 'release' });

/** Suspends or wakes the jobs of an instance. Running ones go on; their outcome is kept until the instance is active again. */
export function suspendJobs({ changes, state }: JobScene, instanceId: string, suspended: boolean): void {
  for (const job of state.find(jobs, 'instance', [instanceId])) {
    if (job.suspended !== suspended && job.actor.value !== 'running') changes.put(jobs, { ...job, suspended });
  }
}

/** Removes the jobs that nobody would ever wake: what reached an instance while it was suspended. */
export function dropHeldJobs({ changes, state }: JobScene, instanceId: string): void {
  for (const job of state.find(jobs, 'instance', [instanceId])) if (job.suspended) changes.dropJob(job.id);
}
