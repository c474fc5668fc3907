import type { MutationResolvers } from '../generated/schema.js';
import { changeNode, versioned } from './tree-mutations.js';

export const copyMutations: Required<Pick<MutationResolvers, 'copyNode'>> = {
  copyNode: (_, { input }, context, info) =>
    changeNode(context, info, context.services.content.nodes.copyNode, versioned(input)),
};
