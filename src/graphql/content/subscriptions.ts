import {
  ContentView,
  formatPath,
  NODE_CHANGED,
  type NodeChanged,
  parsePath,
  type SeenChange,
  seenChange,
} from '../../content/index.js';
import { badRequest } from '../../shared/errors.js';
import { follow } from '../feed-iterator.js';
import type { NodeChangeEventResolvers, SubscriptionResolvers } from '../generated/schema.js';

export const contentSubscriptions: Required<Pick<SubscriptionResolvers, 'nodeChanged'>> = {
  nodeChanged: {
    subscribe: (_, { path, deep, after }, context) => {
      const parsed = parsePath(path ?? '/', context.content.types.namespaces);
      if (!parsed.absolute) throw badRequest(`expected a path from the root, but found '${path}'`);
      const followed = { path: formatPath(parsed), deep: deep ?? false };
      const { caller, workspace } = context;
      // Rights are those of the moment in which it is told.
      const viewNow = () => new ContentView(workspace.partition.replica.read(), caller);
      return follow(context, 'nodeChanged', after, ({ type, data }): SeenChange | undefined =>
        type === NODE_CHANGED ? seenChange(data as NodeChanged, followed, viewNow) : undefined,
      );
    },
  },
};

export const nodeChangeEventResolvers: NodeChangeEventResolvers = {
  node: ({ identifier, eventType }, _, { content }) =>
    eventType === 'DELETED' ? null : (content.get(identifier) ?? null),
};
