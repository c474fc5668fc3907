import type { Resolvers } from '../generated/schema.js';
import { copyMutations } from './copy-mutations.js';
import { lockInfoResolvers, nodeResolvers } from './node.js';
import {
  childDefinitionResolvers,
  nodeTypeMutations,
  nodeTypeQueries,
  nodeTypeResolvers,
  propertyDefinitionResolvers,
} from './node-types.js';
import { propertyValueResolvers } from './property-value.js';
import { operationResultResolvers, transactionMutations } from './transaction-mutations.js';
import { treeMutations } from './tree-mutations.js';
import { nodeChildren, treeQueries } from './tree-queries.js';
import { uploadMutations } from './upload-mutations.js';
import { uploadQueries } from './upload-queries.js';
import { xmlMutations, xmlQueries } from './xml.js';

/** The resolvers of `schema/content-*.graphql`. */
export const contentResolvers = {
  Query: { ...treeQueries, ...uploadQueries, ...nodeTypeQueries, ...xmlQueries },
  Mutation: {
    ...treeMutations,
    ...uploadMutations,
    ...copyMutations,
    ...transactionMutations,
    ...nodeTypeMutations,
    ...xmlMutations,
  },
  Node: { ...nodeResolvers, ...nodeChildren },
  NodeType: nodeTypeResolvers,
  PropertyDefinition: propertyDefinitionResolvers,
  ChildNodeDefinition: childDefinitionResolvers,
  LockInfo: lockInfoResolvers,
  ContentOperationResult: operationResultResolvers,
  ...propertyValueResolvers,
} satisfies Resolvers;
