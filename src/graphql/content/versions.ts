import type { GraphQLResolveInfo } from 'graphql';
import {
  type ContentNode,
  type ContentOperation,
  contentVersions,
  type HistoryView,
  type VersionView,
  versionView,
} from '../../content/index.js';
import { connection } from '../../shared/connection.js';
import { badRequest } from '../../shared/errors.js';
import { PAGE_MAX } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import type { MutationResolvers, NodeResolvers, QueryResolvers, VersionHistoryResolvers } from '../generated/schema.js';
import { keysetRequest, type PageArguments, selects } from '../list-field.js';
import { answerOf, required } from '../mutate.js';
import { changeNode, storeNode, tellRefusedModels, versioned } from './change-node.js';

export const versionQueries: Required<Pick<QueryResolvers, 'versionHistory'>> = {
  async versionHistory(_, { path, ...page }, context, info) {
    const node = context.content.at(path);
    if (node === undefined) throw badRequest(`Node not found: ${path}`, { reason: 'node_not_found' });
    const history = await historyOf(context, node, page, info);
    if (history !== null) return history;
    throw badRequest(`expected '${path}' to be versionable, but it is not`, {
      reason: 'not_versionable',
      resourceId: node.id,
    });
  },
};

export const nodeVersions: Required<Pick<NodeResolvers, 'versionHistory' | 'baseVersionName'>> = {
  versionHistory: (node, page, context, info) =>
    node.versioning === undefined ? null : historyOf(context, node, page, info),
  baseVersionName: ({ versioning }, _, { content }) =>
    versioning === undefined ? null : (versionView(content.tree.reading, versioning.baseVersion)?.name ?? null),
};

export const versionHistoryResolvers: VersionHistoryResolvers = {
  edges: ({ versions }) => connection(versions, ({ node }) => node).edges,
  totalCount: ({ versions }) => versions.totalCount ?? 0,
  pageInfo: ({ versions }) => connection(versions, ({ node }) => node).pageInfo,
  versions: ({ versions }) => versions.rows.map(({ node }) => node),
};

type VersionMutations = Required<
  Pick<
    MutationResolvers,
    | 'addVersionControl'
    | 'checkin'
    | 'checkout'
    | 'uncheckout'
    | 'checkpoint'
    | 'restoreVersion'
    | 'addVersionLabel'
    | 'removeVersionLabel'
    | 'deleteVersion'
  >
>;

export const versionMutations: VersionMutations = {
  addVersionControl: (_, { input }, context, info) =>
    changeNode(context, info, context.services.content.nodes.addVersionControl, versioned(input)),
  restoreVersion: (_, { input }, context, info) =>
    storeNode(context, info, context.services.content.nodes.restoreVersion, versioned(input)),
  checkin: (_, { input }, context, info) =>
    changeVersion(context, info, context.services.content.nodes.checkin, versioned(input)),
  checkpoint: (_, { input }, context, info) =>
    changeVersion(context, info, context.services.content.nodes.checkpoint, versioned(input)),
  addVersionLabel: (_, { input }, context, info) =>
    changeVersion(context, info, context.services.content.nodes.addVersionLabel, input),
  removeVersionLabel: (_, { input }, context, info) =>
    changeVersion(context, info, context.services.content.nodes.removeVersionLabel, input),
  checkout: async (_, { input }, context, info) =>
    answerOf(context, info, context.services.content.nodes.checkout.operation, versioned(input)),
  async uncheckout(_, { input }, context, info) {
    const operation = context.services.content.nodes.uncheckout.operation;
    const answer = await answerOf(context, info, operation, versioned(input));
    const node = context.content.at(input.path);
    if (node !== undefined) await tellRefusedModels(context, [node]);
    return answer;
  },
  deleteVersion: async (_, { input }, context, info) =>
    answerOf(context, info, context.services.content.nodes.deleteVersion.operation, input),
};

/** What is selected of a page. */
const ITEMS = ['edges', 'versions', 'pageInfo'] as const;

const historyOf = (
  context: ApiContext,
  { id }: ContentNode,
  page: PageArguments,
  info: GraphQLResolveInfo,
): Promise<HistoryView | null> =>
  context.query(contentVersions, {
    nodeId: id,
    partition: context.workspace.partition.id,
    now: context.services.now(),
    ...keysetRequest(page, ITEMS.some((field) => selects(info, field)) ? PAGE_MAX : 0, info),
  });

/** Sends the command, and gives the version that it was about as it is then. */
async function changeVersion<I>(
  context: ApiContext,
  info: GraphQLResolveInfo,
  { operation }: ContentOperation<I, { readonly versionId: string }>,
  input: I,
): Promise<VersionView> {
  const answer = await answerOf(context, info, operation, input);
  return required(versionView(context.content.tree.reading, answer.versionId), 'version', answer.versionId);
}
