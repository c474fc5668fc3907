import { jobs, operation, put } from '../../store/index.js';
import { jobNotFound, jobNotWaiting } from '../errors.js';
import { requireSupervisor } from '../rule/rights.js';

/** Input of `executeJob`. */
export interface ExecuteJob {
  readonly id: string;
}

/**
 * Makes a waiting job due now: it runs as soon as there is a slot, also on a clock that stands still. Answers true. Allowed to supervisors
 * and administrators. @throws FORBIDDEN, NOT_FOUND, CONFLICT (it runs, is dead, or is suspended)
 */
export const executeJob = operation<ExecuteJob, boolean>(
  'executeJob',
  (state, { id }, { caller }) => {
    requireSupervisor(caller, 'execute jobs');
    const job = state.get(jobs, id);
    if (job === undefined) throw jobNotFound(id);
    if (job.actor.value !== 'waiting' || job.suspended) {
      throw jobNotWaiting(id, job.suspended ? 'suspended' : job.actor.value);
    }
    return { write: [put(jobs, { ...job, dueAt: Math.min(job.dueAt, state.now), immediate: true })], answer: true };
  },
  (state, { id }) => state.get(jobs, id)?.instanceId ?? undefined,
);
