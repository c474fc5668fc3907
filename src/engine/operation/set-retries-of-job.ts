import { jobs, operation } from '../../store/index.js';
import { jobNotFound } from '../errors.js';
import { requireSupervisor } from '../rule/rights.js';
import { Changes } from '../run/changes.js';
import { changeJob } from '../run/job-changes.js';
import { checkRetries, incidentOfJob, reviveJob } from './job.js';

/** Input of `setRetriesOfJob`. */
export interface SetRetriesOfJob {
  readonly id: string;
  /** From 1 to 1,000. */
  readonly retries: number;
}

/**
 * Says how often a job may still fail. One that waits keeps its due time; a dead one is due at once, and its incident is resolved. Answers the
 * job's id. Allowed to supervisors and administrators. @throws FORBIDDEN, BAD_REQUEST (retries), NOT_FOUND, CONFLICT (it runs)
 */
export const setRetriesOfJob = operation<SetRetriesOfJob, string>(
  'setRetriesOfJob',
  (state, { id, retries }, { caller }) => {
    requireSupervisor(caller, 'set retries of jobs');
    checkRetries(retries);
    const job = state.get(jobs, id);
    if (job === undefined) throw jobNotFound(id);
    const changes = new Changes();
    if (job.actor.value === 'dead') {
      reviveJob(state, changes, job, { retries, incident: incidentOfJob(state, id), clear: false });
    } else changeJob({ changes, state }, { ...job, retries }, { type: 'setRetries', retries });
    return changes.decision(id);
  },
  (state, { id }) => state.get(jobs, id)?.instanceId ?? undefined,
);
