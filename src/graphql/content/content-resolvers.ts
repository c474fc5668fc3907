import type { Resolvers } from '../generated/schema.js';
import {
  accessControlEntryResolvers,
  accessControlResolvers,
  accessMutations,
  accessQueries,
} from './access-control.js';
import { copyMutations } from './copy-mutations.js';
import { lockMutations } from './lock-mutations.js';
import { lockInfoResolvers, nodeResolvers } from './node.js';
import { propertyValueResolvers } from './property-value.js';
import { referenceQueries } from './references.js';
import { contentSubscriptions, nodeChangeEventResolvers } from './subscriptions.js';
import { operationResultResolvers, transactionMutations } from './transaction-mutations.js';
import { treeMutations } from './tree-mutations.js';
import { nodeChildren, treeQueries } from './tree-queries.js';
import { uploadMutations } from './upload-mutations.js';
import { uploadQueries } from './upload-queries.js';

/** The resolvers of `schema/content-*.graphql`. */
export const contentResolvers = {
  Query: { ...treeQueries, ...referenceQueries, ...accessQueries, ...uploadQueries },
  Mutation: {
    ...treeMutations,
    ...accessMutations,
    ...lockMutations,
    ...uploadMutations,
    ...copyMutations,
    ...transactionMutations,
  },
  Subscription: contentSubscriptions,
  NodeChangeEvent: nodeChangeEventResolvers,
  Node: { ...nodeResolvers, ...nodeChildren },
  LockInfo: lockInfoResolvers,
  ContentOperationResult: operationResultResolvers,
  AccessControl: accessControlResolvers,
  AccessControlEntry: accessControlEntryResolvers,
  ...propertyValueResolvers,
} satisfies Resolvers;
