import { badRequest } from '../../shared/errors.js';
import { eitherName } from '../arguments.js';
import type { QueryjobProgressArgs, Resolvers } from '../generated/schema.js';
import { followJob, jobNow } from './follow-job.js';

/** The resolvers of `schema/job.graphql`. */
export const longJobResolvers = {
  Query: { jobProgress: (_, args, context) => jobNow(context, idIn(args)) ?? null },
  Subscription: { jobProgress: { subscribe: (_, { jobId, after }, context) => followJob(context, jobId, after) } },
} satisfies Resolvers;

/** @throws BAD_REQUEST no job is named, or by two names */
function idIn(args: QueryjobProgressArgs): string {
  const id = eitherName(args, 'job', 'jobId');
  if (id != null) return id;
  throw badRequest("expected the id of a long job as 'job', but there is none", {
    reason: 'argument_missing',
    details: { argument: 'job' },
  });
}
