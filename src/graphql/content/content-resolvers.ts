import type { Resolvers } from '../generated/schema.js';
import {
  accessControlEntryResolvers,
  accessControlResolvers,
  accessMutations,
  accessQueries,
} from './access-control.js';
import { copyMutations } from './copy-mutations.js';
import { jobMutations } from './job-mutations.js';
import { lockInfoResolvers, nodeResolvers } from './node.js';
import {
  childDefinitionResolvers,
  nodeTypeMutations,
  nodeTypeQueries,
  nodeTypeResolvers,
  propertyDefinitionResolvers,
} from './node-types.js';
import { propertyValueResolvers } from './property-value.js';
import { referenceQueries } from './references.js';
import { contentSubscriptions, nodeChangeEventResolvers } from './subscriptions.js';
import { operationResultResolvers, transactionMutations } from './transaction-mutations.js';
import { lockMutations, treeMutations } from './tree-mutations.js';
import { nodeChildren, treeQueries } from './tree-queries.js';
import { uploadMutations, uploadQueries } from './uploads.js';
import { nodeVersions, versionHistoryResolvers, versionMutations, versionQueries } from './versions.js';
import { xmlMutations, xmlQueries } from './xml.js';

/** The resolvers of `schema/content-*.graphql`. */
export const contentResolvers = {
  Query: {
    ...treeQueries,
    ...referenceQueries,
    ...accessQueries,
    ...uploadQueries,
    ...versionQueries,
    ...nodeTypeQueries,
    ...xmlQueries,
  },
  Subscription: contentSubscriptions,
  NodeChangeEvent: nodeChangeEventResolvers,
  Mutation: {
    ...treeMutations,
    ...accessMutations,
    ...lockMutations,
    ...uploadMutations,
    ...copyMutations,
    ...transactionMutations,
    ...jobMutations,
    ...versionMutations,
    ...nodeTypeMutations,
    ...xmlMutations,
  },
  Node: { ...nodeResolvers, ...nodeChildren, ...nodeVersions },
  NodeType: nodeTypeResolvers,
  PropertyDefinition: propertyDefinitionResolvers,
  ChildNodeDefinition: childDefinitionResolvers,
  LockInfo: lockInfoResolvers,
  VersionHistory: versionHistoryResolvers,
  ContentOperationResult: operationResultResolvers,
  AccessControl: accessControlResolvers,
  AccessControlEntry: accessControlEntryResolvers,
  ...propertyValueResolvers,
} satisfies Resolvers;
