import { limitExceeded, refuse } from '../../../shared/errors.js';
import { type Decision, type Operation, operation } from '../../decision.js';
import type { State } from '../../state.js';
import { changeOf, moved } from './change.js';
import { longJobRunOver } from './errors.js';
import { changedFigures, type LongJobChanges } from './figures.js';
import { type LongJob, longJobs } from './long-job.js';
import { withFiles } from './long-job-file.js';
import type { LongJobOutcome, LongJobType } from './long-job-type.js';
import type { LongJobEvent } from './machine.js';

/** Runs of a job that ended with the death of the server, after which it has failed. */
export const LONG_JOB_DEATHS_MAX = 3;
/** Why a job failed that is not run again. */
export const SERVER_ENDED = 'The server ended while the job was running.';
const SERVER_DIED_AGAIN = `The server died ${LONG_JOB_DEATHS_MAX} times while it ran this job.`;
/** How many jobs a dead server left are looked at together: a document may be large. */
const RECOVER_BATCH = 20;
/** Of a checkpoint, and of a result, as JSON text, in characters. */
const KEPT_LENGTH_MAX = 65_536;

/** A job and one of its runs: what a worker tells is told of it. */
export interface LongJobRun {
  readonly jobId: string;
  readonly attempt: number;
}

/** A run that came to its end. `changes`: what of its progress was not stored yet. */
export interface CompletedLongJobRun extends LongJobRun {
  readonly outcome: LongJobOutcome;
  readonly changes?: LongJobChanges;
}

/** A run's end that is not a success. `changes`: what of its progress was not stored yet. */
export interface FailedLongJobRun extends LongJobRun {
  readonly message: string;
  readonly changes?: LongJobChanges;
}

/** What the server's worker commits. All but the first and the last are refused with CONFLICT once the run is not the job's present one. */
export interface LongJobRunOperations {
  /** Begins the run of a queued job. @throws CONFLICT (it is not queued any more) */
  readonly takeLongJob: Operation<{ jobId: string }, null>;
  readonly progressLongJob: Operation<LongJobRun & { changes: LongJobChanges }, null>;
  readonly completeLongJob: Operation<CompletedLongJobRun, null>;
  readonly failLongJob: Operation<FailedLongJobRun, null>;
  /** Ends a job whose abort was asked: nothing of it runs. */
  readonly stopLongJob: Operation<{ jobId: string; changes?: LongJobChanges }, null>;
  /** The server drains: back into the queue, or failed, as its type says. */
  readonly releaseLongJob: Operation<LongJobRun & { changes?: LongJobChanges }, null>;
  /** Takes up what a dead server left; answers how many there were, at most 20 at a time. */
  readonly recoverLongJobs: Operation<object, number>;
}

export function longJobRunOperations(types: ReadonlyMap<string, LongJobType>): LongJobRunOperations {
  return {
    takeLongJob: operation('takeLongJob', (state, { jobId }: { jobId: string }) => {
      const taken = movedOf(state, jobId, { type: 'take' });
      return decided(state, [{ ...taken, started: taken.started ?? state.now }]);
    }),
    progressLongJob: operation(
      'progressLongJob',
      (state, { changes, ...run }: LongJobRun & { changes: LongJobChanges }) =>
        decided(state, [told(presentRun(state, run, { type: 'progress' }), changes)]),
    ),
    completeLongJob: operation('completeLongJob', (state, { outcome, changes, ...run }: CompletedLongJobRun) => {
      const job = told(presentRun(state, run, { type: 'complete' }), changes);
      return decided(state, [job.actor.value === 'completed' ? completed(job, outcome) : job]);
    }),
    failLongJob: operation('failLongJob', (state, { message, changes, ...run }: FailedLongJobRun) =>
      decided(state, [failed(told(presentRun(state, run, { type: 'fail' }), changes), message)]),
    ),
    stopLongJob: operation('stopLongJob', (state, { jobId, changes }: { jobId: string; changes?: LongJobChanges }) => {
      return decided(state, [told(movedOf(state, jobId, { type: 'stopped' }), changes)]);
    }),
    releaseLongJob: operation('releaseLongJob', (state, input: LongJobRun & { changes?: LongJobChanges }) => {
      const { changes, ...run } = input;
      const job = told(presentRun(state, run, { type: 'progress' }), changes);
      return decided(state, [left(job, types)]);
    }),
    recoverLongJobs: operation('recoverLongJobs', (state): Decision<number> => {
      const cutOff = state.range(longJobs, 'held', [1], RECOVER_BATCH, { skipDamaged: true });
      const taken = cutOff.map((job) => left({ ...job, deaths: job.deaths + 1 }, types));
      return { ...decided(state, taken), answer: taken.length };
    }),
  };
}

/**
 * Completes a job by the decision that does its work: both are one commit, so that neither an abort nor the server's end comes between. What the
 * run itself tells then is too late, and is not heeded. @throws CONFLICT another run, or none, is its present one; or its abort was asked
 */
export function completedLongJob(
  state: State,
  { jobId, attempt }: LongJobRun,
  outcome: LongJobOutcome,
): Required<Pick<Decision<null>, 'write' | 'events'>> {
  const job = state.get(longJobs, jobId);
  const isRunning = job?.actor.value === 'running' && job.actor.context.attempt === attempt;
  if (!isRunning) throw longJobRunOver(jobId, attempt, job);
  const { write, events } = changeOf(completed(moved(job, { type: 'complete' }), outcome), state.now);
  return { write, events };
}

/** The job after what its present run tells. @throws CONFLICT when another run, or none, is its present one */
function presentRun(state: State, { jobId, attempt }: LongJobRun, event: LongJobEvent): LongJob {
  const job = state.get(longJobs, jobId);
  if (job?.actor.context.attempt !== attempt) throw longJobRunOver(jobId, attempt, job);
  return moved(job, event, () => longJobRunOver(jobId, attempt, job));
}

/** The job after an event, whichever of its runs it was. @throws CONFLICT (it is gone; its state does not accept it) */
function movedOf(state: State, jobId: string, event: LongJobEvent): LongJob {
  const job = state.get(longJobs, jobId) ?? refuse(longJobRunOver(jobId, 0, undefined));
  return moved(job, event, () => longJobRunOver(jobId, 0, job));
}

/** A running or aborting job whose run is over without an outcome. */
function left(job: LongJob, types: ReadonlyMap<string, LongJobType>): LongJob {
  if (job.deaths >= LONG_JOB_DEATHS_MAX) return failed(moved(job, { type: 'fail' }), SERVER_DIED_AGAIN);
  if (types.get(job.type)?.resume === 'restart') return moved(job, { type: 'release' });
  return failed(moved(job, { type: 'fail' }), SERVER_ENDED);
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

function decided(state: State, jobs: readonly LongJob[]): Decision<null> {
  const changes = jobs.map((job) => changeOf(job, state.now));
  return {
    write: changes.flatMap(({ write }) => write),
    events: changes.flatMap(({ events }) => events),
    answer: null,
  };
}
