import type { Resolvers } from '../generated/schema.js';
import { lockInfoResolvers, nodeResolvers } from './node.js';
import { propertyValueResolvers } from './property-value.js';
import { contentSubscriptions, nodeChangeEventResolvers } from './subscriptions.js';
import { treeMutations } from './tree-mutations.js';
import { nodeChildren, treeQueries } from './tree-queries.js';
import { uploadMutations } from './upload-mutations.js';
import { uploadQueries } from './upload-queries.js';

/** The resolvers of `schema/content-*.graphql`. */
export const contentResolvers = {
  Query: { ...treeQueries, ...uploadQueries },
  Mutation: { ...treeMutations, ...uploadMutations },
  Subscription: contentSubscriptions,
  NodeChangeEvent: nodeChangeEventResolvers,
  Node: { ...nodeResolvers, ...nodeChildren },
  LockInfo: lockInfoResolvers,
  ...propertyValueResolvers,
} satisfies Resolvers;
