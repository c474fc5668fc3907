import type { GraphQLResolveInfo } from 'graphql';
import type { ContentNode, ContentOperation, NodeAnswer } from '../../content/index.js';
import { messageOf } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import type { ApiContext } from '../api-context.js';
import type { MutationResolvers } from '../generated/schema.js';
import { mutate } from '../mutate.js';
import { rawArguments } from '../raw-arguments.js';
import { required } from '../required.js';
import { eitherForm } from './either-form.js';
import { preparedFile, preparedNode, propertiesIn } from './prepared-input.js';
import { givenProperties, uploadsIn } from './property-input.js';
import { endingUpload, spendingUploads } from './spending-uploads.js';

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
    return deployed(context, await changeNode(context, info, context.services.content.nodes.createFile, input));
  },

  async createNode(_, { input }, context, info) {
    const raw = rawArguments(info, context.variables).input;
    const prepared = await preparedNode(input, raw, context.services.blobs);
    return spendingUploads(context, uploadsIn(prepared.properties), () =>
      changeNode(context, info, context.services.content.nodes.createNode, prepared),
    );
  },

  async deleteNode(_, { input }, context, info) {
    const { answer } = await mutate(
      context,
      info,
      context.services.content.nodes.deleteNode.operation,
      versioned(input),
    );
    return answer;
  },

  renameNode: (_, { input }, context, info) =>
    changeNode(context, info, context.services.content.nodes.renameNode, versioned(input)),
  moveNode: (_, { input }, context, info) =>
    changeNode(context, info, context.services.content.nodes.moveNode, versioned(input)),
  orderNode: (_, { input }, context, info) =>
    changeNode(context, info, context.services.content.nodes.orderNode, versioned(input)),

  async completeMultipartUpload(_, { input }, context, info) {
    const complete = context.services.content.nodes.completeMultipartUpload;
    const change = () => changeNode(context, info, complete, versioned(input));
    return deployed(context, await endingUpload(context, input.uploadId, change));
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
    const { answer } = await spendingUploads(context, uploadsIn(properties), () =>
      mutate(context, info, operation, { ...input, properties }),
    );
    return { node: context.content.get(answer.nodeId) ?? null, errors: answer.errors };
  },
};

/** Sends the command, and gives the node that it was about as it is then. */
export async function changeNode<I>(
  context: ApiContext,
  info: GraphQLResolveInfo,
  { operation }: ContentOperation<I, NodeAnswer>,
  input: I,
): Promise<ContentNode> {
  const { answer } = await mutate(context, info, operation, input);
  return required(context.content.get(answer.nodeId), 'node', answer.nodeId);
}

/** The file, once it is known whether it is deployed where models are: that it is not is told in the answer, as it is stored all the same. */
async function deployed(context: ApiContext, file: ContentNode): Promise<ContentNode> {
  const path = context.content.tree.pathOf(file) ?? '';
  const asked = context.services.modelProblem(context.workspace.partition, { nodeId: file.id, path });
  if (asked === null) return file;
  context.aside(true);
  try {
    const problem = await asked;
    if (problem !== null) context.refused({ path, problem });
  } catch (thrown) {
    log.warn({ reason: messageOf(thrown), path }, 'a model is deployed later');
  } finally {
    context.aside(false);
  }
  return file;
}

/** The input with its version as a number. */
export function versioned<I extends { readonly expectedVersion?: number | string | null }>(
  input: I,
): Omit<I, 'expectedVersion'> & { readonly expectedVersion: number | null } {
  return { ...input, expectedVersion: input.expectedVersion == null ? null : Number(input.expectedVersion) };
}
