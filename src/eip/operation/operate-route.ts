import { badRequest } from '../../shared/errors.js';
import { type CommandContext, type Operation, operation, type State } from '../../store/index.js';
import { type Route, routes } from '../collections.js';
import type { EipServices } from '../eip-services.js';
import { requireOperator, routeNotFound } from '../errors.js';
import type { RouteEvent } from '../machine/route.js';
import type { RouteFault } from '../route-port.js';
import { moveRoute, RouteChanges } from './route-changes.js';

/** Input of an operation on one route. */
interface OperateRoute {
  readonly id: string;
  /** How long exchanges under way are waited for, in seconds. Default: the setting's. */
  readonly timeout?: number | null;
  /** Why it counts as failed: where a route stops it for that. */
  readonly failure?: RouteFault;
}

/** Input of an operation on all routes. */
type OperateRoutes = Pick<OperateRoute, 'timeout'>;

type Verb = 'start' | 'stop' | 'suspend' | 'resume';

/** The event of what somebody asks for and waits for, so that it is tried once. */
const EVENTS = {
  start: { type: 'start', attempts: 1 },
  stop: { type: 'stop' },
  suspend: { type: 'suspend' },
  resume: { type: 'resume' },
} as const satisfies Readonly<Record<Verb, RouteEvent>>;

/** Takes one route through its life; answers its id. It is on its way then: the runtime tells when it is there. @throws FORBIDDEN, BAD_REQUEST (there is none, a timeout that is none), CONFLICT (its state does not accept it) */
export const operateRoute = (services: EipServices, verb: Verb): Operation<OperateRoute, string> =>
  operation(`${verb}Route`, (state, input, { caller }) => {
    requireOperator(caller, `${verb} routes`);
    const timeoutMs = timeoutOf(services, input);
    const route = state.get(routes, input.id);
    if (route === undefined || isLeaving(route)) throw routeNotFound(input.id);
    const changes = new RouteChanges(state, services.backoff);
    const by = { userId: caller.userId, reason: null };
    const { failure: fault } = input;
    moveRoute(changes, route, fault === undefined ? EVENTS[verb] : { type: 'fail' }, { by, timeoutMs, fault });
    return changes.decision(route.id);
  });

/** Which routes a verb is for, where it is for all. */
const MEANT: Readonly<Record<Verb, (route: Route) => boolean>> = {
  start: ({ actor, autoStart }) => actor.value === 'Suspended' || (actor.value === 'Stopped' && autoStart),
  stop: ({ actor }) => actor.value !== 'Stopped' && actor.value !== 'Stopping',
  suspend: ({ actor }) => actor.value === 'Started',
  resume: ({ actor }) => actor.value === 'Suspended',
};

/** Takes all routes through their lives that this is for; answers their ids. Starting is for those that are to start by themselves, and for suspended ones. @throws FORBIDDEN, BAD_REQUEST (a timeout that is none) */
export const operateRoutes = (
  services: EipServices,
  name: string,
  { verb, reason }: { readonly verb: Verb; readonly reason: string },
): Operation<OperateRoutes, readonly string[]> => ({
  ...operation(name, (state, input: OperateRoutes, { caller }: CommandContext) => {
    requireOperator(caller, `${verb} routes`);
    const timeoutMs = timeoutOf(services, input);
    const changes = new RouteChanges(state, services.backoff);
    const meant = allRoutes(state).filter((route) => !isLeaving(route) && MEANT[verb](route));
    for (const route of meant)
      moveRoute(changes, route, EVENTS[verb], { by: { userId: caller.userId, reason }, timeoutMs });
    return changes.decision(meant.map(({ id }) => id));
  }),
  limits: ALL_ROUTES,
});

/** The most routes of a workspace. */
export const ROUTES_MAX = 2_000;

/** Documents that are read to find all of them. */
export const ROUTES_READ_MAX = 2 * ROUTES_MAX + 1_000;
/** How many documents a decision about all routes may read and write. */
export const ALL_ROUTES = { reads: ROUTES_READ_MAX, writes: 4 * ROUTES_MAX };

/** All routes of a workspace, by their ids, those that are leaving among them. */
export const allRoutes = (state: Pick<State, 'range'>): readonly Route[] => state.range(routes, 'id', [''], ROUTES_MAX);

/** Whether its file does not have it any more: it ends what is under way. */
export const isLeaving = ({ actor }: Route): boolean => actor.context.onStopped === 'leave';

/** An hour, in seconds. */
const TIMEOUT_MAX = 3_600;

function timeoutOf({ drainMs }: EipServices, { timeout }: OperateRoutes): number {
  if (timeout == null) return drainMs;
  if (timeout >= 0 && timeout <= TIMEOUT_MAX) return timeout * 1_000;
  throw badRequest(`expected a timeout of 0 to ${TIMEOUT_MAX} seconds, but found ${timeout}`, {
    reason: 'timeout_invalid',
  });
}
