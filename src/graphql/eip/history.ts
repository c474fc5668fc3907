import {
  type ExchangeRecord,
  type ExchangeSummary,
  elapsedBands,
  exchangePath,
  type HistoryFilter,
  isBelowHistory,
  isOf,
  placeOf,
  statsWindow,
} from '../../eip/index.js';
import { parseDateTime } from '../../expression/index.js';
import type { Caller } from '../../shared/caller.js';
import { connection } from '../../shared/connection.js';
import { badRequest, ServiceError } from '../../shared/errors.js';
import { seesExchanges } from '../../shared/rights/routes.js';
import { cursorsOf } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import type { ApiServices } from '../api-services.js';
import type { HistoryExchangeResolvers, HistoryStepResolvers, QueryResolvers } from '../generated/schema.js';
import { type EitherPage, endOf } from '../memory-page.js';

type HistoryQueries = Required<Pick<QueryResolvers, 'historyExchanges' | 'historyExchange' | 'routeStats'>>;

const PAGE = 50;

export const historyQueries: HistoryQueries = {
  historyExchanges: async (_, { routes, status, from, to, filter, elapsedBands: bands, ...page }, context) => {
    requireSeeing(context.caller);
    const elapsed = elapsedBands(bands);
    return historyPage(context, page, {
      ...routesOf(routes),
      ...statusOf(status),
      ...(hasText(from) && { from: parseDateTime(from) }),
      ...(hasText(to) && { to: parseDateTime(to) }),
      ...(hasText(filter) && { text: filter }),
      ...(elapsed !== undefined && { elapsed }),
    });
  },

  historyExchange: async (_, { path, exchange, exchangeId }, { caller, services, workspace }) => {
    requireSeeing(caller);
    const { id } = workspace.partition;
    if (path != null) return exchangeAt(services.history, id, path);
    const wanted = exchange ?? exchangeId;
    if (wanted == null) throw badRequest("expected 'path' or 'exchange', but found neither");
    return services.history.find(id, wanted);
  },

  routeStats: async (_, { routes, status, ...given }, { caller, services, workspace }) => {
    requireSeeing(caller);
    const { from, to, interval, label, boundaries, starts, anchor } = statsWindow(given, services.now());
    const query = { from, to, interval, boundaries, ...routesOf(routes), ...statusOf(status) };
    const found = await services.history.stats(workspace.partition.id, query);
    const bands = new Map(found.map((bucket) => [bucket.start, bucket.bands]));
    const nothing = [0, ...boundaries.map(() => 0)];
    return {
      anchor: isoText(anchor),
      from: isoText(from),
      to: isoText(to),
      interval: label,
      boundaries: [...boundaries],
      points: starts.map((start) => ({ bucket: isoText(start), bands: [...(bands.get(start) ?? nothing)] })),
    };
  },
};

/** A page of the exchanges that a filter lets through. */
export async function historyPage({ services, workspace }: ApiContext, page: EitherPage, filter: HistoryFilter) {
  const { isFromEnd, size, cursor } = endOf(page, PAGE);
  const cursors = cursorsOf('Query.historyExchanges', 3);
  const place = cursor == null ? undefined : placeIn(cursors.decode(cursor));
  const { id } = workspace.partition;
  const ends = { fromEnd: isFromEnd, ...(place && (isFromEnd ? { before: place } : { after: place })) };
  const found = await services.history.list(id, { filter, limit: size, counts: true, ...ends });
  const rows = found.rows.map((node) => {
    const { createdAt, exchangeId, routeId } = node;
    return { node, cursor: cursors.encode([createdAt, exchangeId, routeId]) };
  });
  const isBehind = place !== undefined;
  const [hasNextPage, hasPreviousPage] = isFromEnd ? [isBehind, found.isMore] : [found.isMore, isBehind];
  const { completed, failed } = services.history.skipped(id);
  const list = connection({ rows, hasNextPage, hasPreviousPage, totalCount: found.total }, ({ node }) => node);
  return { ...list, totalCount: found.total ?? 0, skipped: completed + failed };
}

const placeIn = ([createdAt, exchangeId, routeId]: readonly unknown[]) => ({
  createdAt: Number(createdAt),
  exchangeId: String(exchangeId),
  routeId: String(routeId),
});

/** @throws BAD_REQUEST a path that does not lie below the history */
async function exchangeAt(
  history: ApiServices['history'],
  partition: string,
  path: string,
): Promise<ExchangeRecord | null> {
  if (!isBelowHistory(path)) throw badRequest(`expected a path below /var/eip/history, but found '${path}'`);
  const place = placeOf(path);
  const found = place && (await history.find(partition, place.exchangeId, place.routeId));
  return place && found && isOf(place, found) ? found : null;
}

/** Requires a caller who may see exchanges: an operator, supervisor or administrator. @throws FORBIDDEN */
export function requireSeeing(caller: Caller): void {
  if (seesExchanges(caller)) return;
  const expected = 'expected an operator, supervisor or administrator to see exchanges';
  throw new ServiceError('FORBIDDEN', `${expected}, but '${caller.userId}' is none`, { reason: 'role_missing' });
}

const hasText = (text: string | null | undefined): text is string => text != null && text !== '';

const routesOf = (routes: readonly string[] | null | undefined) =>
  routes == null || routes.length === 0 ? {} : { routes };

const statusOf = (status: string | null | undefined) =>
  hasText(status) && status.toLowerCase() !== 'all' ? { status } : {};

const isoText = (ms: number): string => new Date(ms).toISOString();

const inMs = (micros: number): number => Math.floor(micros / 1000);

export const summaryResolvers = {
  path: (exchange: ExchangeSummary) => exchangePath(exchange),
  elapsed: ({ elapsed }: ExchangeSummary) => inMs(elapsed),
};

export const historyExchangeResolvers: HistoryExchangeResolvers = {
  path: (exchange) => exchangePath(exchange),
  elapsed: ({ elapsed }) => inMs(elapsed),
  headers: ({ headers }) => (headers === null ? null : (JSON.parse(headers) as unknown)),
  steps: ({ steps }) => steps.map((step, order) => ({ ...step, order })),
};

export const historyStepResolvers: HistoryStepResolvers = {
  id: ({ stepId }) => stepId,
  timeTaken: ({ taken }) => (taken === null ? null : inMs(taken)),
  timeTakenMicros: ({ taken }) => taken,
  offsetFromStart: ({ entered, taken }) => (taken === null ? null : inMs(entered + taken)),
};
