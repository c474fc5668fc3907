import { type ExchangeRecord, type Route, type RouteNumbers, requireOperator } from '../../eip/index.js';
import { seesExchanges } from '../../shared/rights/routes.js';
import type { ApiContext } from '../api-context.js';
import type { MutationResolvers, RouteResolvers } from '../generated/schema.js';
import { required } from '../mutate.js';
import type { CamelContextView } from '../views.js';
import { contextIn } from './context.js';
import { counterResolvers } from './counter-resolvers.js';
import { historyPage, requireSeeing } from './history.js';
import { routeIn } from './route.js';

const { counted, timed, totals } = counterResolvers<Route, RouteNumbers>(({ id }, { services, workspace }) =>
  services.eip.counters(workspace.partition.id).statistics(id),
);

/** As what is counted: an instant, null where there was none. */
const instant = (value: (numbers: RouteNumbers) => number) => counted((numbers) => value(numbers) || null);

export const statisticsResolvers = {
  ...totals,
  lastProcessingTime: timed(({ lastTime }) => lastTime),
  deltaProcessingTime: timed(({ deltaTime }) => deltaTime),
  failuresHandled: counted(({ handled }) => handled),
  redeliveries: counted(({ redeliveries }) => redeliveries),
  lastExchangeCreatedTime: instant(({ lastBegunAt }) => lastBegunAt),
  idleSince: ({ id }, _, { services, workspace }) => {
    const numbers = services.eip.counters(workspace.partition.id).statistics(id);
    const last = Math.max(numbers.lastCompletedAt, numbers.lastFailedAt);
    return last === 0 || numbers.inflight > 0 ? null : Math.max(0, services.now() - last);
  },
  stepStatistics: ({ id }, _, { services, workspace }) => [...services.eip.counters(workspace.partition.id).steps(id)],
  firstExchangeCompletedTime: instant(({ firstCompletedAt }) => firstCompletedAt),
  lastExchangeCompletedTime: instant(({ lastCompletedAt }) => lastCompletedAt),
  firstExchangeFailureTime: instant(({ firstFailedAt }) => firstFailedAt),
  lastExchangeFailureTime: instant(({ lastFailedAt }) => lastFailedAt),
  lastError: async ({ id, fault }, _, { caller, services, workspace }) => {
    const ofRoute = fault && faultError(fault, seesExchanges(caller));
    if (!seesExchanges(caller)) return ofRoute;
    const partition = workspace.partition.id;
    const { rows } = await services.history.list(partition, { filter: { routes: [id], status: 'failed' }, limit: 1 });
    const [last] = rows;
    const found = last && (await services.history.find(partition, last.exchangeId, id));
    const ofExchange = found ? errorOf(found) : null;
    if (ofRoute === null || ofExchange === null) return ofRoute ?? ofExchange;
    return ofRoute.timestamp > ofExchange.timestamp ? ofRoute : ofExchange;
  },
  history: (route, page, context) => {
    requireSeeing(context.caller);
    return historyPage(context, page, { routes: [route.id] });
  },
} satisfies RouteResolvers;

const errorOf = ({ exchangeId, completedAt, exceptionType, exceptionMessage, stackTrace, steps }: ExchangeRecord) => ({
  exchangeId,
  timestamp: completedAt,
  message: exceptionMessage ?? exceptionType ?? '',
  stackTrace,
  endpoint: steps.at(-1)?.endpointUri ?? null,
});

/** What keeps a route from running, or stopped it. */
const faultError = ({ at, message, stack }: NonNullable<Route['fault']>, seesStack: boolean) => ({
  exchangeId: null,
  timestamp: at,
  message,
  stackTrace: (seesStack ? stack : undefined) ?? null,
  endpoint: null,
});

type StatisticsMutation = 'resetRouteStatistics' | 'resetAllStatistics' | 'enableTracing' | 'disableTracing';

const traced =
  (isOn: boolean) =>
  async (_: unknown, __: unknown, context: ApiContext): Promise<CamelContextView> => {
    requireOperator(context.caller, 'trace routes');
    await context.services.eip.trace(context.workspace.partition.id, isOn);
    return contextIn(context);
  };

export const statisticsMutations: Required<Pick<MutationResolvers, StatisticsMutation>> = {
  async resetRouteStatistics(_, { id }, context) {
    requireOperator(context.caller, 'reset statistics');
    const route = required(routeIn(context, id), 'route', id);
    await context.services.eip.reset(context.workspace.partition.id, id);
    return route;
  },
  async resetAllStatistics(_, __, context) {
    requireOperator(context.caller, 'reset statistics');
    await context.services.eip.reset(context.workspace.partition.id, null);
    return contextIn(context);
  },
  enableTracing: traced(true),
  disableTracing: traced(false),
};
