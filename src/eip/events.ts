import type { FeedEvent } from '../store/documents.js';
import type { Route } from './collections.js';

/** The type of the event that each change of a route's state makes; its ids are `{ routeId }`, its data {@link RouteStateChanged}. */
export const ROUTE_STATE_CHANGED = 'route.stateChanged';

/** Data of the event, as a subscriber may select it. */
export interface RouteStateChanged {
  readonly routeId: string;
  readonly previousState: Route['actor']['value'];
  readonly currentState: Route['actor']['value'];
  /** ms */
  readonly at: number;
  /** Who made it go there: whoever asked for what it is on its way to. */
  readonly userId: string;
  readonly reason: string | null;
  /** Why it failed, or what was still under way. */
  readonly error: string | null;
}

export const routeStateEvent = (data: RouteStateChanged): FeedEvent => ({
  type: ROUTE_STATE_CHANGED,
  ids: { routeId: data.routeId },
  data,
});
