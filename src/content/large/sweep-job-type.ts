import type { AnyJobType } from '../../store/index.js';
import { SWEEP_JOB } from '../tree/detached.js';
import { sweepDetached } from './sweep.js';

/** Sweeps what was taken out of the tree; its command does all. */
export const sweepJobType: AnyJobType = {
  type: SWEEP_JOB,
  run: (job) => ({ operation: sweepDetached, input: { jobId: job.id, attempt: job.actor.context.attempt } }),
};
