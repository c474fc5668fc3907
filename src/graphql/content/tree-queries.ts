import { type GraphQLResolveInfo, responsePathAsArray } from 'graphql';
import {
  type ChildrenPage,
  type ContentNode,
  ContentView,
  contentChildren,
  contentReferences,
  formatPath,
  isMounted,
  NODE_CHANGED,
  type NodeChanged,
  nodes,
  parsePath,
  type ReferencesPage,
  type SeenChange,
  seenChange,
  smallChildren,
} from '../../content/index.js';
import { isBelowHistory } from '../../eip/index.js';
import { connection, isShown } from '../../shared/connection.js';
import { badRequest } from '../../shared/errors.js';
import { seesExchanges } from '../../shared/rights/routes.js';
import type { Page } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import { changesOfExchanges } from '../eip/exchange-changes.js';
import { follow } from '../feed-iterator.js';
import type {
  NodeChangeEventResolvers,
  NodeResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '../generated/schema.js';
import { connectionOf, keysetConnection, type PageArguments, selects } from '../list-field.js';

export const treeQueries: Required<Pick<QueryResolvers, 'node' | 'children'>> = {
  node: (_, { path }, context) => {
    const found = () => context.content.at(path) ?? null;
    return isExchange(context, path) ? context.exchanges.look(path).then(found) : found();
  },

  children: async (_, { path, ...page }, context, info) => {
    if (isExchange(context, path)) await context.exchanges.look(path);
    return children(context, context.content.require(path), page, info);
  },
};

/** Whether exchanges of routes show there, to who asks. */
const isExchange = ({ caller }: ApiContext, path: string): boolean => isBelowHistory(path) && seesExchanges(caller);

export const nodeChildren: Required<Pick<NodeResolvers, 'children'>> = {
  children: (node, page, context, info) => children(context, node, page, info),
};

function children(context: ApiContext, parent: ContentNode, { first, after }: PageArguments, info: GraphQLResolveInfo) {
  const wanted = { first: first ?? 20, after: after ?? null, count: selects(info, 'totalCount') };
  return childConnection(context, parent, wanted, responsePathAsArray(info.path));
}

/** One page of the children that the caller may read, as a connection; `path`: of its field. */
async function childConnection(
  context: ApiContext,
  parent: ContentNode,
  page: ChildrenPage,
  path: readonly (string | number)[],
) {
  const { content, exchanges } = context;
  if (exchanges.shows(parent)) return keysetConnection(await exchanges.page(parent, page));
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
  context.exchanges.shows(parent)
    ? context.exchanges.hasChildren(parent)
    : (await fromReader(context, parent, { first: 1, after: null, count: false })).rows.length > 0;

const fromReader = (context: ApiContext, parent: ContentNode, page: ChildrenPage): Promise<Page> =>
  context.query(contentChildren, {
    parentId: parent.id,
    partition: context.workspace.partition.id,
    now: context.services.now(),
    ...page,
  });

const NOTHING: ReferencesPage = { rows: [], hasNextPage: false, hasPreviousPage: false, totalCount: 0, revision: 0 };

export const referenceQueries: Required<Pick<QueryResolvers, 'references'>> = {
  async references(_, { path, first, after }, context, info) {
    const target = context.content.require(path);
    const args = {
      targetId: target.id,
      first: first ?? 20,
      after: after ?? null,
      count: selects(info, 'totalCount'),
      partition: context.workspace.partition.id,
      now: context.services.now(),
    };
    const isReferenceable = context.content.types.isA(target, 'mix:referenceable');
    const page = isReferenceable ? await context.query(contentReferences, args) : NOTHING;
    context.shown(page, responsePathAsArray(info.path));
    const { edges, ...rest } = await connectionOf(nodes, page, (node) => node);
    const shown = page.rows.filter(isShown);
    const by = (at: number) => ({
      propertyNames: shown[at]?.propertyNames ?? null,
      isWeak: shown[at]?.isWeak ?? null,
    });
    return { ...rest, edges: edges.map((edge, at) => ({ ...edge, ...by(at) })) };
  },
};

export const contentSubscriptions: Required<Pick<SubscriptionResolvers, 'nodeChanged'>> = {
  nodeChanged: {
    subscribe: (_, { path, deep, after }, context) => {
      const parsed = parsePath(path ?? '/', context.content.types.namespaces);
      if (!parsed.absolute) throw badRequest(`expected a path from the root, but found '${path}'`);
      const followed = { path: formatPath(parsed), deep: deep ?? false };
      const { workspace } = context;
      // Rights are those of the moment in which it is told.
      const viewNow = () => new ContentView(workspace.partition.replica.read(), context.caller);
      return follow(
        context,
        'nodeChanged',
        after,
        ({ type, data }): SeenChange | undefined =>
          type === NODE_CHANGED ? seenChange(data as NodeChanged, followed, viewNow) : undefined,
        { beside: changesOfExchanges(context, followed) },
      );
    },
  },
};

export const nodeChangeEventResolvers: NodeChangeEventResolvers = {
  node: async ({ identifier, eventType, path }, _, context) => {
    if (eventType === 'DELETED') return null;
    if (path !== null && isExchange(context, path)) await context.exchanges.look(path);
    return context.content.get(identifier) ?? null;
  },
};
