import type { Resolvers } from '../generated/schema.js';
import {
  accessControlEntryResolvers,
  accessControlResolvers,
  accessMutations,
  accessQueries,
} from './access-control.js';
import { lockMutations } from './lock-mutations.js';
import { lockInfoResolvers, nodeResolvers } from './node.js';
import { propertyValueResolvers } from './property-value.js';
import { referenceQueries } from './references.js';
import { contentSubscriptions, nodeChangeEventResolvers } from './subscriptions.js';
import { treeMutations } from './tree-mutations.js';
import { nodeChildren, treeQueries } from './tree-queries.js';
import { uploadMutations } from './upload-mutations.js';
import { uploadQueries } from './upload-queries.js';

/** The resolvers of `schema/content-*.graphql`. */
export const contentResolvers = {
  Query: { ...treeQueries, ...referenceQueries, ...accessQueries, ...uploadQueries },
  Mutation: { ...treeMutations, ...accessMutations, ...lockMutations, ...uploadMutations },
  Subscription: contentSubscriptions,
  NodeChangeEvent: nodeChangeEventResolvers,
  Node: { ...nodeResolvers, ...nodeChildren },
  LockInfo: lockInfoResolvers,
  AccessControl: accessControlResolvers,
  AccessControlEntry: accessControlEntryResolvers,
  ...propertyValueResolvers,
} satisfies Resolvers;
