import { type LongJobProgress, longJobId, longJobs, progressOf } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';

/** How far the job is; undefined when there is none. @throws BAD_REQUEST when the id has not the form of one */
export function jobNow(context: ApiContext, jobId: string): LongJobProgress | undefined {
  const job = context.state.get(longJobs, longJobId(jobId));
  return job && progressOf(job);
}
