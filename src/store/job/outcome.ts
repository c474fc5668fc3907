import { ServiceError } from '../../shared/errors.js';
import type { Collection } from '../collection.js';
import type { Write } from '../decision.js';
import type { State } from '../state.js';
import { type Job, jobs, noSubject } from './job.js';
import type { AnyJob } from './job-class.js';
import { begun, moveJob } from './transition.js';

/** A job and one of its attempts: what an outcome is told of. */
export interface JobAttempt {
  readonly jobId: string;
  readonly attempt: number;
}

/**
 * The job whose attempt has succeeded, and its removal. Every outcome begins with it: only the attempt that is running may tell one, whoever
 * decides by then. `from`: with what the jobs are about. @throws CONFLICT otherwise
 */
export function takeOutcome<J extends Job = Job>(
  state: State,
  { jobId, attempt }: JobAttempt,
  from?: Collection<J>,
): { job: J; done: Write } {
  const job = runningJob(state, { jobId, attempt }, from);
  // Whatever it is about: it goes.
  const [done] = moveJob(state, job, { type: 'succeed' }, noSubject).write as readonly [Write];
  return { job, done };
}

/** The job, running this attempt: it was taken for it, or would be. @throws CONFLICT otherwise */
export function runningJob<J extends Job = Job>(
  state: State,
  { jobId, attempt }: JobAttempt,
  from = jobs as Collection<Job> as Collection<J>,
): J {
  const job = state.get(from, jobId);
  const running = job?.actor.value === 'waiting' && !job.suspended ? begun(job) : job;
  if (running?.actor.value === 'running' && running.actor.context.attempt === attempt) return running;
  throw attemptOver({ jobId, attempt }, job);
}

/** The attempt that tells something is not the job's present one: whoever is told so is to stop. `job`: as it is; undefined: it is gone. */
export function attemptOver({ jobId, attempt }: JobAttempt, job: AnyJob | undefined): ServiceError {
  const found = job === undefined ? 'it is gone' : `it is ${job.actor.value} at attempt ${job.actor.context.attempt}`;
  return new ServiceError('CONFLICT', `expected job '${jobId}' to be running attempt ${attempt}, but ${found}`, {
    reason: 'job_attempt_over',
    resourceId: jobId,
  });
}
