import { bpmResolvers } from './bpm/bpm-resolvers.js';
import { contentResolvers } from './content/content-resolvers.js';
import type { Resolvers } from './generated/schema.js';
import { longJobResolvers } from './job/long-job-resolvers.js';

/** The resolvers of the whole schema. */
export const apiResolvers = {
  ...bpmResolvers,
  ...contentResolvers,
  Query: { ...bpmResolvers.Query, ...contentResolvers.Query, ...longJobResolvers.Query },
  Mutation: { ...bpmResolvers.Mutation, ...contentResolvers.Mutation },
  Subscription: { ...bpmResolvers.Subscription, ...contentResolvers.Subscription, ...longJobResolvers.Subscription },
} satisfies Resolvers;
