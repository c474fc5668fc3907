import type { ExchangeRecord, Route, RouteNumbers } from '../../eip/index.js';
import { seesExchanges } from '../../shared/rights/routes.js';
import type { ApiContext } from '../api-context.js';
import type { RouteResolvers } from '../generated/schema.js';
import { historyPage, requireSeeing } from './history.js';

/** A resolver of something that is made of what is counted of a route. */
const counted =
  <T>(value: (numbers: RouteNumbers) => T) =>
  ({ id }: Route, _: unknown, { services, workspace }: ApiContext): T =>
    value(services.eip.statistics(workspace.partition.id, id));

/** As {@link counted}: null as long as no exchange has completed. */
const timed = (value: (numbers: RouteNumbers) => number) =>
  counted((numbers) => (numbers.completed === 0 ? null : Math.round(value(numbers))));

/** As {@link counted}: an instant, null where there was none. */
const instant = (value: (numbers: RouteNumbers) => number) => counted((numbers) => value(numbers) || null);

export const statisticsResolvers = {
  exchangesTotal: counted(({ completed, failed }) => completed + failed),
  exchangesCompleted: counted(({ completed }) => completed),
  exchangesFailed: counted(({ failed }) => failed),
  exchangesInflight: counted(({ inflight }) => inflight),
  meanProcessingTime: timed(({ totalTime, completed }) => Math.floor(totalTime / completed)),
  maxProcessingTime: timed(({ maxTime }) => maxTime),
  minProcessingTime: timed(({ minTime }) => minTime),
  lastProcessingTime: timed(({ lastTime }) => lastTime),
  totalProcessingTime: timed(({ totalTime }) => totalTime),
  firstExchangeCompletedTime: instant(({ firstCompletedAt }) => firstCompletedAt),
  lastExchangeCompletedTime: instant(({ lastCompletedAt }) => lastCompletedAt),
  firstExchangeFailureTime: instant(({ firstFailedAt }) => firstFailedAt),
  lastExchangeFailureTime: instant(({ lastFailedAt }) => lastFailedAt),
  lastError: async ({ id }, _, { caller, services, workspace }) => {
    if (!seesExchanges(caller)) return null;
    const partition = workspace.partition.id;
    const { rows } = await services.history.list(partition, { filter: { routes: [id], status: 'failed' }, limit: 1 });
    const [last] = rows;
    const found = last && (await services.history.find(partition, last.exchangeId, id));
    return found ? errorOf(found) : null;
  },
  history: (route, page, context) => {
    requireSeeing(context.caller);
    return historyPage(context, page, { routes: [route.id] });
  },
} satisfies RouteResolvers;

const errorOf = ({ exchangeId, completedAt, exceptionType, exceptionMessage, steps }: ExchangeRecord) => ({
  exchangeId,
  timestamp: completedAt,
  message: exceptionMessage ?? exceptionType ?? '',
  stackTrace: null,
  endpoint: steps.at(-1)?.endpointUri ?? null,
});
