import type { CopyAnswer } from '../../content/index.js';
import type { ApiContext } from '../api-context.js';
import { eitherForm, rawArguments } from '../arguments.js';
import type { MutationResolvers } from '../generated/schema.js';
import { answerOf, required } from '../mutate.js';
import { changeNode, endingUpload, spendingUploads, storeNode, tellRefusedModels, versioned } from './change-node.js';
import { givenProperties, preparedFile, preparedNode, propertiesIn, uploadsIn } from './property-input.js';

type TreeMutations = Required<
  Pick<
    MutationResolvers,
    | 'createFolder'
    | 'createFile'
    | 'createNode'
    | 'deleteNode'
    | 'renameNode'
    | 'moveNode'
    | 'orderNode'
    | 'setProperties'
    | 'completeMultipartUpload'
    | 'addMixin'
    | 'deleteMixin'
  >
>;

export const treeMutations: TreeMutations = {
  createFolder: (_, args, context, info) =>
    changeNode(context, info, context.services.content.nodes.createFolder, eitherForm(args, ['path', 'name'])),

  async createFile(_, args, context, info) {
    const input = await preparedFile(eitherForm(args, ['path', 'name', 'content']), context.services.blobs);
    return storeNode(context, info, context.services.content.nodes.createFile, input);
  },

  async createNode(_, { input }, context, info) {
    const raw = rawArguments(info, context.variables).input;
    const prepared = await preparedNode(input, raw, context.services.blobs);
    return spendingUploads(context, uploadsIn(prepared.properties), () =>
      storeNode(context, info, context.services.content.nodes.createNode, prepared),
    );
  },

  deleteNode: (_, { input }, context, info) =>
    answerOf(context, info, context.services.content.nodes.deleteNode.operation, versioned(input)),

  renameNode: (_, { input }, context, info) =>
    storeNode(context, info, context.services.content.nodes.renameNode, versioned(input)),
  moveNode: (_, { input }, context, info) =>
    storeNode(context, info, context.services.content.nodes.moveNode, versioned(input)),
  orderNode: (_, { input }, context, info) =>
    changeNode(context, info, context.services.content.nodes.orderNode, versioned(input)),

  completeMultipartUpload(_, { input }, context, info) {
    const complete = context.services.content.nodes.completeMultipartUpload;
    return endingUpload(context, input.uploadId, () => storeNode(context, info, complete, versioned(input)));
  },

  addMixin: (_, args, context, info) =>
    changeNode(
      context,
      info,
      context.services.content.nodes.addMixin,
      versioned(eitherForm(args, ['path', 'mixinType'])),
    ),
  deleteMixin: (_, args, context, info) =>
    changeNode(
      context,
      info,
      context.services.content.nodes.deleteMixin,
      versioned(eitherForm(args, ['path', 'mixinType'])),
    ),

  async setProperties(_, args, context, info) {
    const input = versioned(eitherForm(args, ['path', 'properties']));
    const raw = rawArguments(info, context.variables);
    const sent = propertiesIn(raw.input) ?? raw.properties;
    const given = await givenProperties(input.properties, sent, context.services.blobs);
    const errors = given.flatMap((one) => ('refused' in one ? [{ propertyName: one.name, message: one.refused }] : []));
    const properties = given.flatMap((one) => ('refused' in one ? [] : [one]));
    if (errors.length > 0) return { node: context.content.at(input.path) ?? null, errors };
    const operation = context.services.content.nodes.setProperties.operation;
    const answer = await spendingUploads(context, uploadsIn(properties), () =>
      answerOf(context, info, operation, { ...input, properties }),
    );
    const node = context.content.get(answer.nodeId) ?? null;
    if (node !== null) await tellRefusedModels(context, [node]);
    return { node, errors: answer.errors };
  },
};

export const lockMutations: Required<Pick<MutationResolvers, 'lockNode' | 'unlockNode' | 'refreshLock'>> = {
  lockNode: (_, args, context, info) =>
    changeNode(context, info, context.services.content.nodes.lockNode, versioned(eitherForm(args, ['path']))),

  unlockNode: (_, { input }, context, info) =>
    answerOf(context, info, context.services.content.nodes.unlockNode.operation, versioned(input)),

  refreshLock: (_, { input }, context, info) =>
    changeNode(context, info, context.services.content.nodes.refreshLock, versioned(input)),
};

export const copyMutations: Required<Pick<MutationResolvers, 'copyNode'>> = {
  async copyNode(_, { input }, context, info) {
    const operation = context.services.content.nodes.copyNode.operation;
    const answer = await answerOf(context, info, operation, versioned(input));
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
