import { badRequest, ServiceError, unavailable } from '../../../shared/errors.js';
import type { LongJob } from './long-job.js';

/** `<epoch millis>-<4 hex>`. */
const LONG_JOB_ID = /^\d{1,15}-[\da-f]{4}$/;

/** The id, if it has the form of one. @throws BAD_REQUEST otherwise */
export function longJobId(given: string): string {
  if (LONG_JOB_ID.test(given)) return given;
  throw badRequest(`expected a job id such as 1767225600000-0a1b, but found '${given.slice(0, 100)}'`, {
    reason: 'job_id_malformed',
  });
}

export const longJobUnknown = (jobId: string, type: string) =>
  badRequest(`expected the id of a job of type '${type}', but '${jobId}' is none`, {
    reason: 'job_unknown',
    resourceId: jobId,
  });

export const longJobTypeUnknown = (type: string) =>
  badRequest(`expected a type of long jobs that is registered, but '${type}' is none`, { reason: 'job_type_unknown' });

export const longJobNotIn = ({ id, actor }: LongJob, wanted: string) =>
  unavailable(`expected job '${id}' to be init in order to ${wanted}, but it is ${actor.value}`, {
    reason: 'job_not_init',
    resourceId: id,
    details: { status: actor.value },
  });

export const longJobEmpty = (jobId: string) =>
  unavailable(`expected job '${jobId}' to have items before it starts, but none was appended`, {
    reason: 'job_empty',
    resourceId: jobId,
  });

export const longJobForeign = ({ id }: LongJob) =>
  new ServiceError('FORBIDDEN', `expected job '${id}' to be the caller's own, but it belongs to another user`, {
    reason: 'job_foreign',
    resourceId: id,
  });
