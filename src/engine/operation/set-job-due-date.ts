import { jobs, operation, put } from '../../store/index.js';
import { jobNotFound, jobNotWaiting } from '../errors.js';
import { requireSupervisor } from '../rule/rights.js';

/** Input of `setJobDueDate`. */
export interface SetJobDueDate {
  readonly id: string;
  /** ms */
  readonly due: number;
}

/**
 * Says when a waiting job may run, also one whose instance is suspended. A time that has passed makes it due now. Answers the job's id. Allowed
 * to supervisors and administrators. @throws FORBIDDEN, NOT_FOUND, CONFLICT (it runs, or is dead)
 */
export const setJobDueDate = operation<SetJobDueDate, string>(
  'setJobDueDate',
  (state, { id, due }, { caller }) => {
    requireSupervisor(caller, 'set due dates of jobs');
    const job = state.get(jobs, id);
    if (job === undefined) throw jobNotFound(id);
    if (job.actor.value !== 'waiting') throw jobNotWaiting(id, job.actor.value);
    // What is due later waits for the clock, whatever it was before.
    return { write: [put(jobs, { ...job, dueAt: due, immediate: job.immediate && due <= state.now })], answer: id };
  },
  (state, { id }) => state.get(jobs, id)?.instanceId ?? undefined,
);
