import type { Resolvers } from '../generated/schema.js';
import { followJob } from './follow-job.js';
import { jobNow } from './job-now.js';

/** The resolvers of `schema/job.graphql`. */
export const longJobResolvers = {
  Query: { jobProgress: (_, { jobId }, context) => jobNow(context, jobId) ?? null },
  Subscription: { jobProgress: { subscribe: (_, { jobId, after }, context) => followJob(context, jobId, after) } },
} satisfies Resolvers;
