import { limitExceeded, refuse } from '../../../shared/errors.js';
import { type Decision, type Operation, operation } from '../../decision.js';
import type { State } from '../../state.js';
import { JOB_DEATHS_MAX, type JobClass, type JobMove } from '../job-class.js';
import { attemptOver, type JobAttempt } from '../outcome.js';
import { type MovedLongJob, moved, settled } from './change.js';
import { type LongJobClientOperations, longJobClientOperations } from './client-operations.js';
import { changedFigures, type LongJobChanges, withFiles } from './figures.js';
import { withItems } from './items.js';
import { type LongJob, longJobs } from './long-job.js';
import type { LongJobOutcome, LongJobType } from './long-job-type.js';
import type { LongJobEvent } from './machine.js';
import { sweepLongJobs } from './sweep.js';

/** Why a job failed that is not run again. */
export const SERVER_ENDED = 'The server ended while the job was running.';
const SERVER_DIED_AGAIN = `The server died ${JOB_DEATHS_MAX} times while it ran this job.`;
/** Of a checkpoint, and of a result, as JSON text, in characters. */
const KEPT_LENGTH_MAX = 65_536;

/** A run that came to its end. `changes`: what of its progress was not stored yet. */
interface CompletedLongJobRun extends JobAttempt {
  readonly outcome: LongJobOutcome;
  readonly changes?: LongJobChanges;
}

/** A run's end that is not a success. `changes`: what of its progress was not stored yet. */
interface FailedLongJobRun extends JobAttempt {
  readonly message: string;
  readonly changes?: LongJobChanges;
}

/** A run that has found more to do. */
interface FilledLongJobRun extends JobAttempt {
  readonly behind: number;
  readonly items: readonly string[];
  readonly changes: LongJobChanges;
}

/** Operations of a run. All but the last are refused with CONFLICT once the run is not the job's present one. */
export interface LongJobRunOperations {
  readonly progressLongJob: Operation<JobAttempt & { changes: LongJobChanges }, null>;
  /** As progress, with more items behind the first `behind`; nothing where that was done before. @throws LIMIT_EXCEEDED */
  readonly fillLongJob: Operation<FilledLongJobRun, null>;
  readonly completeLongJob: Operation<CompletedLongJobRun, null>;
  readonly failLongJob: Operation<FailedLongJobRun, null>;
  /** Ends a job whose abort was asked: nothing of it runs. */
  readonly stopLongJob: Operation<{ jobId: string; changes?: LongJobChanges }, null>;
}

/** Everything that changes long jobs but what is done of every job, by name. */
export interface LongJobOperations extends LongJobClientOperations, LongJobRunOperations {
  readonly sweepLongJobs: typeof sweepLongJobs;
}

export const longJobOperations = (types: ReadonlyMap<string, LongJobType>): LongJobOperations => ({
  ...longJobClientOperations(types),
  ...longJobRunOperations(),
  sweepLongJobs,
});

/** Long jobs as jobs are taken, recovered and given back: back into the queue, or failed, as their types say. They make no incidents. */
export const longJobClass = (types: ReadonlyMap<string, LongJobType>): JobClass<LongJob> => ({
  jobs: longJobs,
  attempted: 'held',
  names: { take: 'takeLongJobs', release: 'releaseLongJobs', recover: 'recoverLongJobs' },
  // A document may be large.
  recoverMax: 20,
  mayBegin: ({ actor }) => actor.value === 'queued',
  isAttempted: ({ actor }) => actor.value === 'running' || actor.value === 'aborting',
  take: ({ now }, job) => {
    const [taken, actions] = moved(job, { type: 'take' });
    return settled([{ ...taken, started: job.started ?? now }, actions], now);
  },
  release: ({ now }, job, changes) => settled(left(told(job, changes as LongJobChanges | undefined), types), now),
  afterDeath: ({ now }, job) => settled(left(job, types), now),
});

const longJobRunOperations = (): LongJobRunOperations => ({
  progressLongJob: operation('progressLongJob', (state, { changes, ...run }) =>
    decided(state, presentRun(state, run, { type: 'progress' }), (job) => told(job, changes)),
  ),
  fillLongJob: operation('fillLongJob', (state, { behind, items, changes, ...run }) => {
    const [job, actions] = presentRun(state, run, { type: 'progress' });
    if (job.items !== behind) return { answer: null };
    const filled = withItems(state, job, items);
    const { write, events } = settled([told(filled.job, changes), actions], state.now);
    return { write: [...filled.write, ...write], events, answer: null };
  }),
  completeLongJob: operation('completeLongJob', (state, { outcome, changes, ...run }) =>
    decided(state, presentRun(state, run, { type: 'complete' }), (job) =>
      job.actor.value === 'completed' ? completed(told(job, changes), outcome) : told(job, changes),
    ),
  ),
  failLongJob: operation('failLongJob', (state, { message, changes, ...run }) =>
    decided(state, presentRun(state, run, { type: 'fail' }), (job) => failed(told(job, changes), message)),
  ),
  stopLongJob: operation('stopLongJob', (state, { jobId, changes }) => {
    const job = state.get(longJobs, jobId) ?? refuse(attemptOver({ jobId, attempt: 0 }, undefined));
    const stopped = moved(job, { type: 'stopped' }, () => attemptOver({ jobId, attempt: 0 }, job));
    return decided(state, stopped, (one) => told(one, changes));
  }),
});

/**
 * Completes a job by the decision that does its work: both are one commit, so that neither an abort nor the server's end comes between. What the
 * run itself tells then is too late, and is not heeded. @throws CONFLICT another run, or none, is its present one; or its abort was asked
 */
export function completedLongJob(state: State, { jobId, attempt }: JobAttempt, outcome: LongJobOutcome): JobMove {
  const job = state.get(longJobs, jobId);
  const isRunning = job?.actor.value === 'running' && job.actor.context.attempt === attempt;
  if (!isRunning) throw attemptOver({ jobId, attempt }, job);
  const [moving, actions] = moved(job, { type: 'complete' });
  const { write, events } = settled([completed(moving, outcome), actions], state.now);
  return { write, events };
}

/** The job after what its present run tells. @throws CONFLICT when another run, or none, is its present one */
function presentRun(state: State, { jobId, attempt }: JobAttempt, event: LongJobEvent): MovedLongJob {
  const job = state.get(longJobs, jobId);
  if (job?.actor.context.attempt !== attempt) throw attemptOver({ jobId, attempt }, job);
  return moved(job, event, () => attemptOver({ jobId, attempt }, job));
}

/** A running or aborting job whose run is over without an outcome. */
function left(job: LongJob, types: ReadonlyMap<string, LongJobType>): MovedLongJob {
  const isDoomed = job.deaths >= JOB_DEATHS_MAX;
  if (!isDoomed && types.get(job.type)?.resume === 'restart') return moved(job, { type: 'release' });
  const [after, actions] = moved(job, { type: 'fail' });
  return [failed(after, isDoomed ? SERVER_DIED_AGAIN : SERVER_ENDED), actions];
}

/** With its message, where it has really failed: one whose abort was asked is aborted. */
const failed = (job: LongJob, message: string): LongJob =>
  job.actor.value === 'failed' ? { ...job, figures: changedFigures(job.figures, { errorMessage: message }) } : job;

/** With what its run made; of one whose abort was asked before that is nothing to be had. */
const completed = (job: LongJob, { result, changes }: LongJobOutcome): LongJob => ({
  ...told(job, changes),
  result: small(result ?? null, 'result'),
});

function told(job: LongJob, changes: LongJobChanges = {}): LongJob {
  const checkpoint = changes.checkpoint === undefined ? job.checkpoint : small(changes.checkpoint, 'checkpoint');
  const files = withFiles(job.files, changes.files);
  return { ...job, checkpoint, figures: changedFigures(job.figures, changes), ...(files.length > 0 && { files }) };
}

function small(value: unknown, what: string): unknown {
  const length = JSON.stringify(value).length;
  if (length <= KEPT_LENGTH_MAX) return value;
  throw limitExceeded(`expected a ${what} of at most ${KEPT_LENGTH_MAX} characters, but found ${length}`);
}

/** The decision on a job that has moved, with what `say` says of it. */
function decided(state: State, [job, actions]: MovedLongJob, say: (job: LongJob) => LongJob): Decision<null> {
  const { write, events } = settled([say(job), actions], state.now);
  return { write, events, answer: null };
}
