import { start, step } from '../actor.js';
import { type Decision, type FeedEvent, type Operation, operation, put, type Write } from '../decision.js';
import { type Incident, incidentMachine, incidents } from '../incident/incident.js';
import type { State } from '../state.js';
import { type Job, type JobFailure, jobs } from './job.js';
import type { AnyJobType, JobChanges } from './job-type.js';
import { type JobEvent, jobMachine } from './machine.js';
import { begun, type JobAttempt, runningJob } from './outcome.js';
import type { Candidate, Slots } from './slots.js';

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
      return [moved(job, { type: 'release' })];
    });
    return { write: released.map((job) => put(jobs, job)), answer: released.length };
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
      const changes = now.map((job) => afterDeath(state, job, types));
      return { ...joined(changes), answer: left.length };
    }),
    failJob: operation('failJob', (state: State, input: JobAttempt & { failure: Omit<JobFailure, 'at'> }) => {
      const job = { ...runningJob(state, input), failure: { ...input.failure, at: state.now }, deaths: 0 };
      const failed = moved(job, { type: 'fail' });
      if (failed.actor.value === 'dead') return { ...died(state, failed, types), answer: null };
      const dueAt = types.get(job.type)?.retryAt?.(failed, state.now) ?? state.now;
      return { write: [put(jobs, { ...failed, dueAt, immediate: false })], answer: null };
    }),
  };
}

function afterDeath(state: State, job: Job, types: ReadonlyMap<string, AnyJobType>): JobChanges {
  const deaths = job.deaths + 1;
  if (deaths < JOB_DEATHS_MAX) return { write: [put(jobs, { ...moved(job, { type: 'release' }), deaths })] };
  const message = `the server died ${deaths} times in a row while it ran this job`;
  const failure = { message, code: null, stack: null, at: state.now };
  return died(state, { ...moved(job, { type: 'kill' }), deaths, failure }, types);
}

/** A dead job: its incident opens. */
function died(state: State, job: Job, types: ReadonlyMap<string, AnyJobType>): JobChanges {
  const incident = incidentOf(state, job);
  const more = types.get(job.type)?.dead?.(state, job, incident) ?? {};
  return joined([{ write: [put(jobs, job), put(incidents, incident)], events: [incidentCreated(incident)] }, more]);
}

/** What the incident of a failed job says of it. */
type Failed = Pick<Job, 'id' | 'activityId' | 'executionId' | 'instanceId' | 'definitionId' | 'definitionKey'> & {
  readonly failure: (Pick<JobFailure, 'message'> & { readonly stack?: string | null }) | null;
};

/** The incident that a dead job opens. */
export function incidentOf(state: State, job: Failed): Incident {
  return {
    id: state.ids.next(),
    type: 'failedJob',
    message: job.failure?.message ?? null,
    stackTrace: job.failure?.stack ?? null,
    created: state.now,
    activityId: job.activityId,
    executionId: job.executionId,
    instanceId: job.instanceId,
    definitionId: job.definitionId,
    definitionKey: job.definitionKey,
    jobId: job.id,
    causeIncidentId: null,
    rootCauseIncidentId: null,
    configuration: job.id,
    actor: start(incidentMachine, { annotation: null }),
  };
}

const incidentCreated = (incident: Incident): FeedEvent => ({
  type: 'incident.created',
  ids: { incidentId: incident.id, processInstanceId: incident.instanceId, definitionKey: incident.definitionKey },
  data: incident,
});

/** The job after an event that its state is known to accept. */
function moved(job: Job, event: JobEvent): Job {
  const actor = step(jobMachine, job.actor, event);
  if (actor === undefined) throw new Error(`job '${job.id}' is ${job.actor.value} and does not accept ${event.type}`);
  return { ...job, actor };
}

const joined = (changes: readonly JobChanges[]): { write: Write[]; events: FeedEvent[] } => ({
  write: changes.flatMap(({ write }) => write ?? []),
  events: changes.flatMap(({ events }) => events ?? []),
});
