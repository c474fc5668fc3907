import { type GraphQLResolveInfo, responsePathAsArray } from 'graphql';
import { type ContentNode, nodes } from '../../content/index.js';
import type { ApiContext } from '../api-context.js';
import type { NodeResolvers, QueryResolvers } from '../generated/schema.js';
import { connectionOf, type PageArguments, selects } from '../list-field.js';
import { childrenOf } from './children.js';

export const treeQueries: Required<Pick<QueryResolvers, 'node' | 'children'>> = {
  node: (_, { path }, { content }) => content.at(path) ?? null,

  children(_, { path, ...page }, context, info) {
    return childConnection(context, context.content.require(path), page, info);
  },
};

export const nodeChildren: Required<Pick<NodeResolvers, 'children'>> = {
  children: (node, page, context, info) => childConnection(context, node, page, info),
};

async function childConnection(
  context: ApiContext,
  parent: ContentNode,
  { first, after }: PageArguments,
  info: GraphQLResolveInfo,
) {
  const wanted = { first: first ?? 20, after: after ?? null, count: selects(info, 'totalCount') };
  const page = context.shown(await childrenOf(context, parent, wanted), responsePathAsArray(info.path));
  return connectionOf(nodes, page, (node) => node);
}
