import { type GraphQLResolveInfo, responsePathAsArray } from 'graphql';
import {
  type ChildrenPage,
  type ContentNode,
  contentChildren,
  isMounted,
  nodes,
  smallChildren,
} from '../../content/index.js';
import { connection } from '../../shared/connection.js';
import type { Page } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import type { NodeResolvers, QueryResolvers } from '../generated/schema.js';
import { connectionOf, type PageArguments, selects } from '../list-field.js';

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

/** One page of the children that the caller may read, as a connection; `path`: of its field. */
export async function childConnection(
  context: ApiContext,
  parent: ContentNode,
  page: ChildrenPage,
  path: readonly (string | number)[],
) {
  const { content } = context;
  const small = smallChildren(content, parent, page);
  const made =
    small === undefined
      ? await connectionOf(nodes, context.shown(await fromReader(context, parent, page), path), (node) => node)
      : { ...connection(small, ({ node }) => node), totalCount: small.totalCount ?? 0 };
  if (!isMounted(content, parent)) content.together(made.edges.map(({ node }) => node));
  return made;
}

/** Whether the node has children that the caller may read. */
export const hasChildren = async (context: ApiContext, parent: ContentNode): Promise<boolean> =>
  (await fromReader(context, parent, { first: 1, after: null, count: false })).rows.length > 0;

const fromReader = (context: ApiContext, parent: ContentNode, page: ChildrenPage): Promise<Page> =>
  context.query(contentChildren, {
    parentId: parent.id,
    partition: context.workspace.partition.id,
    now: context.services.now(),
    ...page,
  });
