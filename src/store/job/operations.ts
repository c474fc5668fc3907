import { type Operation, operation, put } from '../decision.js';
import type { State } from '../state.js';
import type { AnyJobSubject, Job, JobFailure } from './job.js';
import { JOB_DEATHS_MAX, type JobClass, type JobMove } from './job-class.js';
import type { AnyJobType } from './job-type.js';
import { type JobAttempt, runningJob } from './outcome.js';
import { begun, moveJob } from './transition.js';

/** Kinds of jobs of a store. */
export interface JobKinds {
  readonly types: ReadonlyMap<string, AnyJobType>;
  readonly subject: AnyJobSubject;
}

/** The jobs that decisions make. What dies of them opens an incident, as its type says. */
export const jobClass = ({ types, subject }: JobKinds): JobClass<Job> => ({
  jobs: subject.jobs,
  attempted: 'running',
  names: { take: 'takeJobs', release: 'releaseJobs', recover: 'recoverJobs' },
  recoverMax: 100,
  mayBegin,
  isAttempted: ({ actor }) => actor.value === 'running',
  take: (_, job) => ({ write: [put(subject.jobs, begun(job))], events: [] }),
  release: (state, job) => moveJob(state, job, { type: 'release' }, subject),
  afterDeath: (state, job) => afterDeath(state, job, { types, subject }),
});

/** Whether the job waits, and its time has come. */
export const mayBegin = (job: Job, now: number): boolean =>
  job.actor.value === 'waiting' && !job.suspended && job.dueAt <= now;

function afterDeath(state: State, job: Job, { types, subject }: JobKinds): JobMove {
  const { deaths, type } = job;
  if (deaths < JOB_DEATHS_MAX) return moveJob(state, job, { type: 'release' }, subject);
  const message = `the server died ${deaths} times in a row while it ran this job`;
  const failure = { message, code: null, stack: null, at: state.now };
  return moveJob(state, { ...job, failure }, { type: 'kill' }, subject, types.get(type));
}

/** An attempt that failed. */
interface FailedAttempt extends JobAttempt {
  readonly failure: Omit<JobFailure, 'at'>;
}

/** The operation that tells of an attempt that failed. @throws CONFLICT (another attempt, or nobody, has the job) */
export const failJobOf = ({ types, subject }: JobKinds): Operation<FailedAttempt, null> =>
  operation('failJob', (state, input) => {
    const job = { ...runningJob(state, input), failure: { ...input.failure, at: state.now }, deaths: 0 };
    const type = types.get(job.type);
    const { write, events } = moveJob(state, job, { type: 'fail' }, subject, type);
    return { write, events, jobs: type?.failed?.(state, job) ?? [], answer: null };
  });
