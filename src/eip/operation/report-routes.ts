import { can, type JobAttempt, operation, put, takeOutcome } from '../../store/index.js';
import { dropText } from '../collection/route-text.js';
import { type Route, type RouteCause, routes, routeVersions } from '../collections.js';
import type { EipServices } from '../eip-services.js';
import { type RouteEvent, routeMachine } from '../machine/route.js';
import type { RouteFault } from '../route-port.js';
import { ALL_ROUTES, allRoutes } from './operate-route.js';
import { moveRoute, RouteChanges } from './route-changes.js';

// What the runtime tells, and what comes of itself: commands of the system.

/** The runtime's report on the work of a route. */
export interface RouteReport {
  readonly routeId: string;
  /** The work that it is about; null: it was asked for nothing. */
  readonly turn: number | null;
  readonly event: 'started' | 'drained' | 'failed' | 'updated' | 'notUpdated';
  readonly fault?: RouteFault;
}

/** Takes routes on as the runtime tells; what is told of work that counts no more comes to nothing. */
export const reportRoutes = (services: EipServices) => ({
  ...operation('reportRoutes', (state, { reports }: { readonly reports: readonly RouteReport[] }) => {
    const changes = new RouteChanges(state, services.backoff);
    for (const report of reports) takeReport(changes, report);
    return changes.decision(null);
  }),
  limits: ALL_ROUTES,
});

function takeReport(changes: RouteChanges, { routeId, turn, event: type, fault }: RouteReport): void {
  const route = changes.draft.get(routes, routeId);
  if (route === undefined || (turn !== null && route.turn !== turn)) return;
  const event = type === 'started' ? { type, attempts: changes.backoff.attempts } : { type };
  const done = { ...route, work: null };
  if (can(routeMachine, done.actor, event)) moveRoute(changes, done, event, { fault });
}

/** How often a runtime may end within {@link ENDS_MS} while a route computes. */
const ENDS_MAX = 3;
const ENDS_MS = 600_000;

interface RecoverRoutes {
  readonly reason: string;
  /** Why the runtime ended, and the routes that computed then. Not given: it was the server. */
  readonly end?: { readonly fault: RouteFault; readonly culprits: readonly string[] };
}

/** The runtime is another one, in which nothing runs: what ran or was on its way there is to be so again. A route by which three of them ended within ten minutes stays stopped. */
export const recoverRoutes = (services: EipServices) => ({
  ...operation('recoverRoutes', (state, { reason, end }: RecoverRoutes, { caller }) => {
    const changes = new RouteChanges(state, services.backoff);
    const by: RouteCause = { userId: caller.userId, reason };
    for (const route of allRoutes(state)) recover(changes, route, by, end);
    return changes.decision(null);
  }),
  limits: ALL_ROUTES,
});

function recover(changes: RouteChanges, before: Route, by: RouteCause, end: RecoverRoutes['end']): void {
  const { now } = changes.state;
  const isCulprit = end?.culprits.includes(before.id) === true;
  const ends = isCulprit ? [...before.ends.filter((at) => at > now - ENDS_MS), now] : before.ends;
  const isGivenUp = isCulprit && ends.length >= ENDS_MAX;
  const event: RouteEvent = { type: 'recover', attempts: isGivenUp ? 1 : changes.backoff.attempts };
  if (!can(routeMachine, before.actor, event)) return;
  const recovered = moveRoute(changes, { ...before, ends, work: null }, event, { by });
  const failed: RouteEvent = { type: 'failed' };
  if (!isGivenUp || !can(routeMachine, recovered.actor, failed)) return;
  const message = `the runtime ended ${ENDS_MAX} times within ten minutes while the route computed: ${end.fault.message}`;
  moveRoute(changes, { ...recovered, work: null }, failed, { fault: { ...end.fault, message } });
}

/** Input of the job that starts a route again. */
export interface RetryRoute {
  readonly routeId: string;
  readonly turn: number;
}

/** The time before the next attempt is over. */
export const retryRoute = (services: EipServices) =>
  operation('retryRoute', (state, { routeId, turn, job }: RetryRoute & { readonly job: JobAttempt }) => {
    const changes = new RouteChanges(state, services.backoff);
    const { done } = takeOutcome(state, job);
    changes.draft.remove(done.collection, done.id);
    const route = state.get(routes, routeId);
    const event: RouteEvent = { type: 'retry' };
    // One that was stopped or started by somebody meanwhile has another turn.
    if (route?.turn === turn && can(routeMachine, route.actor, event)) moveRoute(changes, route, event);
    return changes.decision(null);
  });

/** Input of the job that erases what is left of a route. */
export interface EraseRoute {
  readonly incarnation: string;
}

/** How many versions one decision erases. */
const ERASED_MAX = 20;

/** Erases versions of a route that is gone; answers whether all are. */
export const eraseRoute = operation(
  'eraseRoute',
  (state, { incarnation, job }: EraseRoute & { readonly job: JobAttempt }) => {
    const changes = new RouteChanges(state, { attempts: 1, delayMs: 0, delayMaxMs: 0 });
    const { job: running, done } = takeOutcome(state, job);
    changes.draft.remove(done.collection, done.id);
    const versions = state.find(routeVersions, 'route', [incarnation], { limit: ERASED_MAX });
    for (const version of versions) {
      dropText(changes.draft, version.id, version);
      changes.draft.remove(routeVersions, version.id);
    }
    if (versions.length === ERASED_MAX)
      changes.jobs.push({
        id: state.ids.next(),
        type: running.type,
        dueAt: state.now,
        immediate: true,
        input: { incarnation },
      });
    return changes.decision(null);
  },
);

/** Input of `keepPlace`: how far a route that follows changes has come. */
export interface KeepPlace {
  readonly routeId: string;
  readonly place: string;
}

/** Keeps the place up to which a route has followed changes; of a route that is gone, nothing. Sent by the runtime. */
export const keepPlace = operation<KeepPlace, null>('keepRoutePlace', (state, { routeId, place }) => {
  const route = state.get(routes, routeId);
  if (route === undefined || route.followed === place) return { answer: null };
  return { write: [put(routes, { ...route, followed: place })], answer: null };
});
