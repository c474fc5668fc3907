import { ServiceError } from '../../shared/errors.js';
import { type ActorOf, type Job, jobMachine, jobs, type State, step } from '../../store/index.js';
import type { Changes } from './changes.js';

type JobEvent = Parameters<typeof step<typeof jobMachine>>[2];

/** The job after an event. @throws CONFLICT (its state does not accept it) */
export function stepJob(job: Job, event: JobEvent): ActorOf<typeof jobMachine> {
  const next = step(jobMachine, job.actor, event);
  if (next !== undefined) return next;
  throw new ServiceError('CONFLICT', `expected job '${job.id}' to accept ${event.type}, but it is ${job.actor.value}`, {
    reason: `job_${job.actor.value}`,
    resourceId: job.id,
    details: { state: job.actor.value },
  });
}

/** Gives a running job back without counting a failure: it waits until its instance or definition is active again. */
export function holdJob(changes: Changes, job: Job, input: unknown = job.input): void {
  changes.put(jobs, { ...job, input, suspended: true, actor: stepJob(job, { type: 'release' }) });
}

/** Suspends or wakes the jobs of an instance. Running ones go on; their outcome is kept until the instance is active again. */
export function suspendJobs(changes: Changes, state: State, instanceId: string, suspended: boolean): void {
  for (const job of state.find(jobs, 'instance', [instanceId])) {
    if (job.suspended !== suspended && job.actor.value !== 'running') changes.put(jobs, { ...job, suspended });
  }
}

/** Removes the jobs that nobody would ever wake: what reached an instance while it was suspended. */
export function dropHeldJobs(changes: Changes, state: State, instanceId: string): void {
  for (const job of state.find(jobs, 'instance', [instanceId])) if (job.suspended) changes.dropJob(job.id);
}
