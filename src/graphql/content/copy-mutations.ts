import type { CopyAnswer } from '../../content/index.js';
import type { ApiContext } from '../api-context.js';
import { required } from '../arguments.js';
import type { MutationResolvers } from '../generated/schema.js';
import { mutate } from '../mutate.js';
import { tellRefusedModels } from './refused-models.js';
import { versioned } from './tree-mutations.js';

export const copyMutations: Required<Pick<MutationResolvers, 'copyNode'>> = {
  async copyNode(_, { input }, context, info) {
    const operation = context.services.content.nodes.copyNode.operation;
    const { answer } = await mutate(context, info, operation, versioned(input));
    tellOpenCopy(context, answer);
    const node = required(context.content.get(answer.nodeId), 'node', answer.nodeId);
    await tellRefusedModels(context, [node]);
    return node;
  },
};

/** Tells in the answer that access control lists were not copied, so that the copy may be open to more than its source. */
export function tellOpenCopy(context: ApiContext, { nodeId, leavesLists }: CopyAnswer): void {
  const node = leavesLists ? context.content.get(nodeId) : undefined;
  const path = node && context.content.tree.pathOf(node);
  if (path !== undefined) context.copiedOpen(path);
}
