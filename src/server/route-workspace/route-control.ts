import {
  contextNumbers,
  type EipApi,
  type RouteCommand,
  type RouteNumbers,
  type RouteQuery,
  routes,
} from '../../eip/index.js';
import { ServiceError } from '../../shared/errors.js';
import type { PartitionPort } from '../../store/index.js';

/** Routes as they are operated and counted. */
export interface RouteControl {
  readonly api: Pick<EipApi, 'startRoute' | 'stopRoute' | 'suspendRoute' | 'resumeRoute'>;
  /** Resolves when the runtime has done what it is to do for the routes, at the latest when nobody should wait any longer. */
  readonly settled: (routeIds: readonly string[]) => Promise<void>;
  readonly statistics: (routeId: string) => RouteNumbers;
}

const VERBS = { start: 'startRoute', stop: 'stopRoute', suspend: 'suspendRoute', resume: 'resumeRoute' } as const;

/** The operation that a command about a route asks for. */
export const ofRoute = ({ api }: Pick<RouteControl, 'api'>, { verb, routeId, failure }: RouteCommand) => ({
  operation: api[VERBS[verb]],
  input: { id: routeId, ...(failure !== undefined && { failure }) },
  answer: () => null,
});

/** Waits until it is so. @throws EXECUTION_FAILED it did not start */
export async function whenOperated(
  { settled }: Pick<RouteControl, 'settled'>,
  partition: PartitionPort,
  { verb, routeId }: RouteCommand,
): Promise<void> {
  await settled([routeId]);
  const route = partition.replica.readBack().get(routes, routeId);
  const isStarting = verb === 'start' || verb === 'resume';
  if (!isStarting || route === undefined || route.fault === null || route.actor.value === 'Started') return;
  throw new ServiceError('EXECUTION_FAILED', `route '${routeId}' did not start: ${route.fault.message}`);
}

/** State, or counters in Camel's XML. */
export function readRoutes(
  { statistics }: Pick<RouteControl, 'statistics'>,
  { replica }: PartitionPort,
  query: RouteQuery,
  now: number,
): string | null {
  const state = replica.readBack();
  if (query.kind === 'routes.status') return state.get(routes, query.routeId)?.actor.value ?? null;
  const all = query.routeId === null ? state.range(routes, 'id', [''], ROUTES_MAX) : [state.get(routes, query.routeId)];
  const known = all.filter((route) => route !== undefined);
  const each = known.map(
    ({ id, actor }) => `<routeStat${attributes({ id, state: actor.value, ...shown(statistics(id), now) })}/>`,
  );
  if (query.routeId !== null) return each[0] ?? null;
  const numbers = known.map(({ id }) => statistics(id));
  const { inflight, completed, failed } = contextNumbers(numbers);
  const context = {
    exchangesInflight: inflight,
    exchangesTotal: completed + failed,
    exchangesCompleted: completed,
    exchangesFailed: failed,
    failuresHandled: numbers.reduce((sum, { handled }) => sum + handled, 0),
  };
  const routeStats = ['  <routeStats>', ...each.map((one) => `    ${one}`), '  </routeStats>'];
  return [`<camelContextStat${attributes(context)}>`, ...routeStats, '</camelContextStat>'].join('\n');
}

/** The most routes of which it tells. */
const ROUTES_MAX = 2_000;

function shown(numbers: RouteNumbers, now: number): Readonly<Record<string, string | number>> {
  const { begun, completed, failed, handled, redeliveries, inflight, totalTime } = numbers;
  const last = Math.max(numbers.lastCompletedAt, numbers.lastFailedAt);
  return {
    exchangesInflight: inflight,
    exchangesTotal: begun - inflight,
    ...{ exchangesCompleted: completed, exchangesFailed: failed, failuresHandled: handled, redeliveries },
    minProcessingTime: Math.round(numbers.minTime),
    maxProcessingTime: Math.round(numbers.maxTime),
    totalProcessingTime: Math.round(totalTime),
    lastProcessingTime: Math.round(numbers.lastTime),
    deltaProcessingTime: Math.round(numbers.deltaTime),
    meanProcessingTime: completed === 0 ? 0 : Math.trunc(totalTime / completed),
    idleSince: inflight > 0 || last <= 0 ? -1 : Math.max(0, now - last),
    ...instants({
      firstExchangeCompletedTimestamp: numbers.firstCompletedAt,
      lastExchangeCompletedTimestamp: numbers.lastCompletedAt,
      firstExchangeFailureTimestamp: numbers.firstFailedAt,
      lastExchangeFailureTimestamp: numbers.lastFailedAt,
    }),
  };
}

const instants = (given: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(given).map(([name, at]) => [name, at > 0 ? new Date(at).toISOString() : '']));

const attributes = (given: Readonly<Record<string, string | number>>): string =>
  Object.entries(given)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('');

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
