import { bpmResolvers } from './bpm/bpm-resolvers.js';
import { contentResolvers } from './content/content-resolvers.js';
import type { Resolvers } from './generated/schema.js';

/** The resolvers of the whole schema. */
export const apiResolvers = {
  ...bpmResolvers,
  ...contentResolvers,
  Query: { ...bpmResolvers.Query, ...contentResolvers.Query },
  Mutation: { ...bpmResolvers.Mutation, ...contentResolvers.Mutation },
} satisfies Resolvers;
