import { setExternalTaskRetries } from '../operation/external-task.js';
import { requireRetries, setRetriesOfJob } from '../operation/job.js';
import { requireSupervisor } from '../rule/rights.js';
import { batchOperation, meant } from './batch.js';
import type { BatchType } from './batch-type.js';
import { type ExternalTaskFilter, findExternalTasks, findJobs, type JobFilter } from './find-jobs.js';

/** How often each may still be tried. */
interface Retries<F> {
  /** From 0 to 1,000. */
  readonly retries: number;
  /** Null: those alone that are named. */
  readonly filter: F | null;
}

export const jobRetriesBatch: BatchType<Retries<JobFilter>> = {
  type: 'set-job-retries',
  prepare: (_, parameters, caller) => {
    requireSupervisor(caller, 'set retries of jobs');
    requireRetries(parameters.retries);
    return parameters;
  },
  find: (state, { filter }, page) => filter && findJobs(state, filter, page),
  command: (id, { retries }) => ({ operation: setRetriesOfJob, input: { id, retries } }),
};

export const externalTaskRetriesBatch: BatchType<Retries<ExternalTaskFilter>> = {
  type: 'set-external-task-retries',
  prepare: (_, parameters, caller) => {
    requireSupervisor(caller, 'set retries of external tasks');
    requireRetries(parameters.retries);
    return parameters;
  },
  find: (state, { filter }, page) => filter && findExternalTasks(state, filter, page),
  command: (taskId, { retries }) => ({ operation: setExternalTaskRetries, input: { taskId, retries } }),
};

/** Input of `setJobRetriesAsync`. */
interface SetJobRetriesAsync {
  readonly jobIds?: readonly string[] | null;
  readonly jobs?: JobFilter | null;
  readonly retries: number;
}

/** Each of the jobs is given new retries, as by `setRetriesOfJob`. Allowed to supervisors and administrators. @throws FORBIDDEN, BAD_REQUEST (retries, nothing named) */
export const setJobRetriesAsync = batchOperation(
  'setJobRetriesAsync',
  jobRetriesBatch,
  ({ jobIds, jobs: filter, retries }: SetJobRetriesAsync) =>
    meant({ argument: 'jobIds', ids: jobIds, filter }, { retries }),
);

/** Input of `setExternalTaskRetriesAsync`. */
interface SetExternalTaskRetriesAsync {
  readonly externalTaskIds?: readonly string[] | null;
  readonly externalTasks?: ExternalTaskFilter | null;
  readonly retries: number;
}

/** Each of the external tasks is given new retries, as by `setExternalTaskRetries`. Allowed to supervisors and administrators. @throws FORBIDDEN, BAD_REQUEST */
export const setExternalTaskRetriesAsync = batchOperation(
  'setExternalTaskRetriesAsync',
  externalTaskRetriesBatch,
  ({ externalTaskIds, externalTasks: filter, retries }: SetExternalTaskRetriesAsync) =>
    meant({ argument: 'externalTaskIds', ids: externalTaskIds, filter }, { retries }),
);
