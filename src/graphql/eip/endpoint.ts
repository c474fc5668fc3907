import type { ApiContext } from '../api-context.js';
import type { QueryResolvers, RouteState } from '../generated/schema.js';
import { keysetConnection } from '../list-field.js';
import { memoryPage } from '../memory-page.js';
import type { EndpointView } from '../views.js';
import { endpointsOf, routesIn } from './route.js';

/** A component, with whether a route that runs uses it. */
interface ComponentView {
  readonly name: string;
  readonly state: RouteState;
  readonly class: string;
  readonly supportedSchemes: string[];
}

/** All endpoints, those of routes that run first. */
const allEndpoints = (context: ApiContext): EndpointView[] =>
  routesIn(context)
    .flatMap((route) => endpointsOf(context, route))
    .sort((a, b) => Number(isRunning(b)) - Number(isRunning(a)));

const isRunning = ({ route }: EndpointView): boolean => route.actor.value === 'Started';

/** The components of the server, by their names. */
export function componentsOf(context: ApiContext): ComponentView[] {
  const used = new Set(
    allEndpoints(context)
      .filter(isRunning)
      .map(({ component }) => component),
  );
  return context.services.eip.components
    .map(({ name, schemes }) => ({
      ...{ name, state: used.has(name) ? ('Started' as const) : ('Stopped' as const) },
      ...{ class: `millrace:${name}`, supportedSchemes: [...schemes] },
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

type EndpointQueries = Required<Pick<QueryResolvers, 'endpoints' | 'components' | 'component'>>;

export const endpointQueries: EndpointQueries = {
  async endpoints(_, { component, ...page }, context) {
    const byUri = new Map<string, EndpointView>();
    for (const endpoint of allEndpoints(context)) {
      const isWanted = component == null || endpoint.component === component;
      if (isWanted && !byUri.has(endpoint.uri)) byUri.set(endpoint.uri, endpoint);
    }
    const uri = (endpoint: EndpointView) => endpoint.uri;
    const list = { name: `Query.endpoints ${component ?? ''}`, all: byUri.values(), isWanted: () => true };
    return keysetConnection(await memoryPage({ ...list, value: uri, id: uri, descending: false }, page, 100));
  },

  async components(_, page, context) {
    const name = (component: ComponentView) => component.name;
    const list = { name: 'Query.components', all: componentsOf(context), isWanted: () => true };
    return keysetConnection(await memoryPage({ ...list, value: name, id: name, descending: false }, page, 100));
  },

  component: (_, { name }, context) =>
    componentsOf(context).find((one) => one.name === name || one.supportedSchemes.includes(name)) ?? null,
};
