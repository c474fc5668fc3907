import { type GraphQLResolveInfo, responsePathAsArray } from 'graphql';
import type { ContentNode } from '../../content/index.js';
import type { ApiContext } from '../api-context.js';
import type { NodeResolvers, QueryResolvers } from '../generated/schema.js';
import { type PageArguments, selects } from '../list-field.js';
import { childConnection } from './children.js';

export const treeQueries: Required<Pick<QueryResolvers, 'node' | 'children'>> = {
  node: (_, { path }, { content }) => content.at(path) ?? null,

  children: (_, { path, ...page }, context, info) => children(context, context.content.require(path), page, info),
};

export const nodeChildren: Required<Pick<NodeResolvers, 'children'>> = {
  children: (node, page, context, info) => children(context, node, page, info),
};

function children(context: ApiContext, parent: ContentNode, { first, after }: PageArguments, info: GraphQLResolveInfo) {
  const wanted = { first: first ?? 20, after: after ?? null, count: selects(info, 'totalCount') };
  return childConnection(context, parent, wanted, responsePathAsArray(info.path));
}
