import { eitherForm } from '../arguments.js';
import type { MutationResolvers } from '../generated/schema.js';
import { mutate } from '../mutate.js';
import { changeNode, versioned } from './tree-mutations.js';

export const lockMutations: Required<Pick<MutationResolvers, 'lockNode' | 'unlockNode' | 'refreshLock'>> = {
  lockNode: (_, args, context, info) =>
    changeNode(context, info, context.services.content.nodes.lockNode, versioned(eitherForm(args, ['path']))),

  async unlockNode(_, { input }, context, info) {
    const { answer } = await mutate(
      context,
      info,
      context.services.content.nodes.unlockNode.operation,
      versioned(input),
    );
    return answer;
  },

  refreshLock: (_, { input }, context, info) =>
    changeNode(context, info, context.services.content.nodes.refreshLock, versioned(input)),
};
