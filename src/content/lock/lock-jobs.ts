import type { AnyJobType, Job } from '../../store/index.js';
import { expireLock, LOCK_TIMEOUT_JOB } from './expire-lock.js';

/** What ends locks when their time is over. */
export const lockJobs: readonly AnyJobType[] = [
  {
    type: LOCK_TIMEOUT_JOB,
    run: ({ id, actor }: Job) => ({ operation: expireLock, input: { jobId: id, attempt: actor.context.attempt } }),
  },
];
