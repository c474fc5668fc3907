import type { MutationResolvers } from '../generated/schema.js';
import { storeNode, versioned } from './tree-mutations.js';

export const copyMutations: Required<Pick<MutationResolvers, 'copyNode'>> = {
  copyNode: (_, { input }, context, info) =>
    storeNode(context, info, context.services.content.nodes.copyNode, versioned(input)),
};
