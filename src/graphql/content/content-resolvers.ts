import type { Resolvers } from '../generated/schema.js';
import { lockInfoResolvers, nodeResolvers } from './node.js';
import { propertyValueResolvers } from './property-value.js';
import { treeMutations } from './tree-mutations.js';
import { nodeChildren, treeQueries } from './tree-queries.js';

/** The resolvers of `schema/content-*.graphql`. */
export const contentResolvers = {
  Query: treeQueries,
  Mutation: treeMutations,
  Node: { ...nodeResolvers, ...nodeChildren },
  LockInfo: lockInfoResolvers,
  ...propertyValueResolvers,
} satisfies Resolvers;
