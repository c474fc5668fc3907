import { type Decision, type Operation, operation, put } from '../decision.js';
import type { State } from '../state.js';
import { type Job, type JobFailure, jobs } from './job.js';
import type { AnyJobType } from './job-type.js';
import { type JobAttempt, runningJob } from './outcome.js';
import type { Candidate, Slots } from './slots.js';
import { begun, type MovedJob, moveJob } from './transition.js';

/** Attempts in a row that ended with the death of the server, after which a job is dead. */
export const JOB_DEATHS_MAX = 3;
const RECOVER_BATCH = 100;
/** How many running jobs one look for such that nobody runs goes through; those that run here are among them. */
const RUNNING_READS = 900;

/** Takes those of the jobs that still wait; answers their ids. */
export const takeJobs = operation(
  'takeJobs',
  (state: State, { ids }: { readonly ids: readonly string[] }): Decision<string[]> => {
    const waiting = ids.flatMap((id) => state.get(jobs, id) ?? []).filter((job) => mayBegin(job, state.now));
    return { write: waiting.map((job) => put(jobs, begun(job))), answer: waiting.map((job) => job.id) };
  },
);

/** What the job's next attempt needs a slot for. */
export const nextAttempt = ({ id, exclusive, actor }: Job): Candidate => ({
  id,
  exclusive,
  attempt: actor.context.attempt + 1,
});

/** Whether the job waits, and its time has come. */
export const mayBegin = (job: Job, now: number): boolean =>
  job.actor.value === 'waiting' && !job.suspended && job.dueAt <= now;

/** Gives attempts back that did not end: the server drains. */
export const releaseJobs = operation(
  'releaseJobs',
  (state: State, input: { jobs: readonly { id: string; attempt: number }[] }): Decision<number> => {
    const released = input.jobs.flatMap(({ id, attempt }) => {
      const job = state.get(jobs, id);
      if (job?.actor.value !== 'running' || job.actor.context.attempt !== attempt) return [];
      return [moveJob(state, job, { type: 'release' })];
    });
    return { write: released.flatMap(({ write }) => write), answer: released.length };
  },
);

/** The operations that need to know what the kinds of jobs do when they die, and what runs here. `slots`: default nothing. */
export function jobOperations(
  types: ReadonlyMap<string, AnyJobType>,
  slots: Pick<Slots, 'holds'> = { holds: () => false },
): {
  recoverJobs: Operation<object, number>;
  failJob: Operation<JobAttempt & { failure: Omit<JobFailure, 'at'> }, null>;
} {
  return {
    recoverJobs: operation('recoverJobs', (state: State): Decision<number> => {
      const running = state.range(jobs, 'running', [1], RUNNING_READS, { skipDamaged: true });
      const left = running.filter(({ id, actor }) => !slots.holds(id, actor.context.attempt)).slice(0, RECOVER_BATCH);
      // One death per decision: two incidents of one instance must see each other.
      const dying = left.filter((job) => job.deaths + 1 >= JOB_DEATHS_MAX);
      const now = left.filter((job) => job === dying[0] || !dying.includes(job));
      const moved = now.map((job) => afterDeath(state, job, types));
      const write = moved.flatMap((each) => each.write);
      return { write, events: moved.flatMap(({ events }) => events), answer: left.length };
    }),
    failJob: operation('failJob', (state: State, input: JobAttempt & { failure: Omit<JobFailure, 'at'> }) => {
      const job = { ...runningJob(state, input), failure: { ...input.failure, at: state.now }, deaths: 0 };
      const { write, events } = moveJob(state, job, { type: 'fail' }, types.get(job.type));
      return { write, events, answer: null };
    }),
  };
}

function afterDeath(state: State, job: Job, types: ReadonlyMap<string, AnyJobType>): MovedJob {
  const deaths = job.deaths + 1;
  if (deaths < JOB_DEATHS_MAX) return moveJob(state, { ...job, deaths }, { type: 'release' });
  const message = `the server died ${deaths} times in a row while it ran this job`;
  const failure = { message, code: null, stack: null, at: state.now };
  return moveJob(state, { ...job, deaths, failure }, { type: 'kill' }, types.get(job.type));
}
