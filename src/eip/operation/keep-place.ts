import { operation, put } from '../../store/index.js';
import { routes } from '../collections.js';

/** Input of `keepPlace`: how far a route that follows changes has come. */
export interface KeepPlace {
  readonly routeId: string;
  readonly place: string;
}

/** Keeps it with the route; of one that is gone, nothing. Sent by the runtime. */
export const keepPlace = operation<KeepPlace, null>('keepRoutePlace', (state, { routeId, place }) => {
  const route = state.get(routes, routeId);
  if (route === undefined || route.followed === place) return { answer: null };
  return { write: [put(routes, { ...route, followed: place })], answer: null };
});
