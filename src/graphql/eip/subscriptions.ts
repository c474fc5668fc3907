import { ROUTE_STATE_CHANGED, type RouteStateChanged } from '../../eip/index.js';
import { follow } from '../feed-iterator.js';
import type { SubscriptionResolvers } from '../generated/schema.js';

export const routeSubscriptions: Required<Pick<SubscriptionResolvers, 'routeStateChanged'>> = {
  routeStateChanged: {
    subscribe: (_, { routeId, after }, context) =>
      follow(context, 'routeStateChanged', after, ({ type, ids, data }) => {
        if (type !== ROUTE_STATE_CHANGED || (routeId != null && ids.routeId !== routeId)) return undefined;
        const { at: timestamp, userId: actor, ...changed } = data as RouteStateChanged;
        return { ...changed, timestamp, actor };
      }),
  },
};
