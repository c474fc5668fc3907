import { bpmResolvers } from './bpm/bpm-resolvers.js';
import type { Resolvers } from './generated/schema.js';
import { longJobResolvers } from './job/long-job-resolvers.js';

/** The resolvers of the whole API: those of its parts, put together. */
export const apiResolvers = {
  ...bpmResolvers,
  Query: { ...bpmResolvers.Query, ...longJobResolvers.Query },
  Subscription: { ...bpmResolvers.Subscription, ...longJobResolvers.Subscription },
} satisfies Resolvers;
