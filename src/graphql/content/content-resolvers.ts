import type { Resolvers } from '../generated/schema.js';
import { uploadMutations } from './upload-mutations.js';
import { uploadQueries } from './upload-queries.js';

/** The resolvers of the content's part of the schema. */
export const contentResolvers = {
  Query: uploadQueries,
  Mutation: uploadMutations,
} satisfies Resolvers;
