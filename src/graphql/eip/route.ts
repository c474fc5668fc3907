import {
  allRoutes,
  isLeaving,
  ROUTE_STATE_CHANGED,
  ROUTES_READ_MAX,
  type Route,
  type RouteStateChanged,
  type RouteVersion,
  routeOperations,
  routes,
  routeVersions,
  versionContent,
  versionOf,
  writeXml,
  writeYaml,
} from '../../eip/index.js';
import { seesDefinitions } from '../../shared/rights/routes.js';
import type { ApiContext } from '../api-context.js';
import { follow } from '../feed-iterator.js';
import type {
  EndpointResolvers,
  QueryResolvers,
  RouteDefinitionResolvers,
  RouteResolvers,
  RouteVersionResolvers,
  SubscriptionResolvers,
} from '../generated/schema.js';
import { connectionOf, equal, keysetConnection, listQuery } from '../list-field.js';
import { memoryPage } from '../memory-page.js';
import type { DefinitionView, EndpointView } from '../views.js';

/** All routes of the workspace that is asked, by their ids. */
export const routesIn = ({ workspace }: ApiContext): readonly Route[] =>
  allRoutes(workspace.partition.replica.read({ readMax: ROUTES_READ_MAX })).filter((route) => !isLeaving(route));

/** The route; one whose file does not have it any more is none. */
export function routeIn(context: ApiContext, id: string): Route | undefined {
  const route = context.find(routes, id);
  return route === undefined || isLeaving(route) ? undefined : route;
}

type RouteQueries = Required<Pick<QueryResolvers, 'route' | 'routes'>>;

export const routeQueries: RouteQueries = {
  route: (_, { id }, context) => routeIn(context, id) ?? null,

  async routes(_, { status, group, search, ...page }, context) {
    const wanted = search?.toLowerCase() ?? '';
    const isWanted = ({ id, file, actor }: Route) =>
      (status == null || actor.value === status) &&
      (group == null || file === group) &&
      id.toLowerCase().includes(wanted);
    return routePage('Query.routes', routesIn(context).filter(isWanted), page, 50);
  },
};

type Page = Parameters<typeof memoryPage>[1];

/** A page of routes, by their ids. */
export async function routePage(name: string, all: readonly Route[], page: Page, otherwise: number) {
  const id = (route: Route) => route.id;
  const list = { name, all, isWanted: () => true, value: id, id, descending: false };
  return keysetConnection(await memoryPage(list, page, otherwise));
}

export const routeResolvers: RouteResolvers = {
  routeId: ({ id }) => id,
  group: ({ file }) => file,
  status: ({ actor }) => actor.value,
  state: ({ actor }) => actor.value,
  availableOperations: (route) => routeOperations(route),
  uptime: ({ startedAt }, _, { services }) => (startedAt === null ? null : uptimeText(services.now() - startedAt)),
  uptimeMillis: ({ startedAt }, _, { services }) => (startedAt === null ? null : services.now() - startedAt),
  health: (route) => healthOf(route),
  fault: ({ fault }) =>
    fault && { timestamp: fault.at, message: fault.message, exceptionType: fault.exceptionType ?? null },
  versions: async ({ incarnation }, page, context, info) => {
    const where = equal('incarnation', incarnation);
    const list = { collection: routeVersions, where, order: [{ column: 'age' }], first: 20 };
    return connectionOf(routeVersions, await context.list(listQuery(list, page, info)), (version) => version);
  },
  context: (_, __, { caller }) => caller.workspace,
  deployedBy: ({ deployer }) => deployer.userId,
  definition: (route, _, context) => definitionOf(context, versionOf(context.reading, route)),
  endpoints: (route, _, context) => endpointsOf(context, route),
  consumers: (route, _, context) => endpointsOf(context, route).filter(({ role }) => role === 'consumer'),
  producers: (route, _, context) => endpointsOf(context, route).filter(({ role }) => role === 'producer'),
};

export const routeVersionResolvers: RouteVersionResolvers = {
  deployedBy: ({ deployer }) => deployer.userId,
  current: ({ routeId, version }, _, context) => routeIn(context, routeId)?.version === version,
  definition: (version, _, context) => definitionOf(context, version),
};

/** How the version is written, as far as the caller may see it. */
function definitionOf(context: ApiContext, version: RouteVersion | undefined): DefinitionView | null {
  if (!seesDefinitions(context.caller)) return null;
  const content = versionContent(context.reading, version);
  if (content === undefined) return null;
  const { source, definition } = content;
  return { id: definition.model.id, source, model: definition.model };
}

/** The very text in the form that it was written in, and the other form from what was read of it. */
export const routeDefinitionResolvers: RouteDefinitionResolvers = {
  yaml: ({ source, model }) => source && (source.format === 'yaml' ? source.text : writeYaml(model)),
  xml: ({ source, model }) => source && (source.format === 'xml' ? source.text : writeXml(model)),
};

/** The endpoints of the route's version. */
export const endpointsOf = (context: ApiContext, route: Route): EndpointView[] =>
  (versionOf(context.reading, route)?.endpoints ?? []).map((endpoint) => ({ ...endpoint, route }));

/** A resolver of what came from an endpoint into its route, or was sent to it. */
function sent(value: (counts: { readonly completed: number; readonly failed: number }) => number) {
  return ({ uri, role, route }: EndpointView, _: unknown, { services, workspace }: ApiContext): number => {
    const counters = services.eip.counters(workspace.partition.id);
    return value(role === 'consumer' ? counters.statistics(route.id) : counters.endpoint(uri));
  };
}

export const endpointResolvers: EndpointResolvers = {
  state: ({ route }) => route.actor.value,
  remote: ({ component }, _, { services }) =>
    services.eip.components.some(({ schemes, isRemote }) => isRemote && schemes.includes(component)),
  singleton: () => true,
  health: ({ route }) => healthOf(route),
  exchangesTotal: sent(({ completed, failed }) => completed + failed),
  exchangesCompleted: sent(({ completed }) => completed),
  exchangesFailed: sent(({ failed }) => failed),
};

/** Health as Camel's consumers have it: one that is not meant to run is well, one that somebody stopped is not known of. */
function healthOf({ actor, fault, autoStart }: Route): 'UP' | 'DOWN' | 'UNKNOWN' {
  if (actor.value === 'Started') return 'UP';
  if (fault !== null) return 'DOWN';
  return actor.value === 'Stopped' && !autoStart ? 'UP' : 'UNKNOWN';
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** A time as Camel writes it: the two largest of its units, `2d3h`; below a second in ms. */
export function uptimeText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, ms)}ms`;
  let left = ms;
  const parts = UNITS.map(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return { unit, count };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ unit, count }) => `${count}${unit}`)
    .join('');
}

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
