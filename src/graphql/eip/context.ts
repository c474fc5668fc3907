import { allFiles, type ContextNumbers, contextNumbers, ROUTES_READ_MAX, type Route } from '../../eip/index.js';
import type { ApiContext } from '../api-context.js';
import type { CamelContextResolvers, MutationResolvers, QueryResolvers, RouteState } from '../generated/schema.js';
import { keysetConnection } from '../list-field.js';
import { memoryPage } from '../memory-page.js';
import type { CamelContextView } from '../views.js';
import { counterResolvers } from './counter-resolvers.js';
import { componentsOf } from './endpoint.js';
import { sendToRoutes } from './operate.js';
import { endpointsOf, routePage, routesIn, uptimeText } from './route.js';

export const contextIn = (context: ApiContext): CamelContextView => ({
  name: context.caller.workspace,
  all: routesIn(context),
});

/** Which state all have together: they run as long as one does; then that of whichever is still at something, then of those that are suspended, are stopped. */
const RANKS = ['Started', 'Starting', 'Stopping', 'Suspending', 'Suspended', 'Stopped'] as const;

const stateOf = (all: readonly Route[]): RouteState =>
  RANKS.find((state) => all.some(({ actor }) => actor.value === state)) ?? 'Started';

type ContextQueries = Required<Pick<QueryResolvers, 'camelContexts' | 'camelContext'>>;

export const contextQueries: ContextQueries = {
  async camelContexts(_, page, context) {
    const name = ({ name: own }: CamelContextView) => own;
    const list = {
      name: 'Query.camelContexts',
      all: [contextIn(context)],
      isWanted: () => true,
      value: name,
      id: name,
    };
    return keysetConnection(await memoryPage({ ...list, descending: false }, page, 100));
  },

  camelContext(_, __, context) {
    const { name, all } = contextIn(context);
    const state = stateOf(all);
    const counters = context.services.eip.counters(context.workspace.partition.id);
    const files = allFiles(context.workspace.partition.replica.read({ readMax: ROUTES_READ_MAX }));
    return files.map(({ id, path }) => ({
      ...{ name, state, sourceFile: path },
      routes: all
        .filter(({ fileId }) => fileId === id)
        .sort((a, b) => a.place - b.place)
        .map(({ id: routeId, actor }) => {
          const { completed, failed } = counters.statistics(routeId);
          return { id: routeId, status: actor.value, exchangesTotal: completed + failed };
        }),
    }));
  },
};

/** What is counted of all routes, added up once for all fields of an answer. */
const added = new WeakMap<CamelContextView, ContextNumbers>();

const { totals } = counterResolvers<CamelContextView, ContextNumbers>((view, { services, workspace }) => {
  const counters = services.eip.counters(workspace.partition.id);
  const numbers = added.get(view) ?? contextNumbers(view.all.map(({ id }) => counters.statistics(id)));
  added.set(view, numbers);
  return numbers;
});

/** Since when the first of those that run has run, ms. */
const startOf = ({ all }: CamelContextView): number | null =>
  all.reduce<number | null>((first, { startedAt }) => {
    if (startedAt === null) return first;
    return first === null ? startedAt : Math.min(first, startedAt);
  }, null);

export const contextResolvers: CamelContextResolvers = {
  version: (_, __, { services }) => services.version,
  state: ({ all }) => stateOf(all),
  uptime: (view, _, { services }) => {
    const start = startOf(view);
    return start === null ? '' : uptimeText(services.now() - start);
  },
  uptimeMillis: (view, _, { services }) => services.now() - (startOf(view) ?? services.now()),
  routes: ({ all }, page) => routePage('CamelContext.routes', all, page, 100),
  ...totals,
  tracing: (_, __, { services, workspace }) => services.eip.counters(workspace.partition.id).isTracing,
  messageHistory: () => true,
  logMask: () => false,
  components: ({ all }, _, context) => {
    const used = new Set(all.flatMap((route) => endpointsOf(context, route).map(({ component }) => component)));
    return componentsOf(context).filter(({ name }) => used.has(name));
  },
};

type Verb = 'startCamelContext' | 'stopCamelContext' | 'suspendCamelContext' | 'resumeCamelContext';

const ofAll =
  (verb: Verb) =>
  async (
    _: unknown,
    args: { readonly timeout?: number | null },
    context: ApiContext,
    info: Parameters<typeof sendToRoutes>[1],
  ) => {
    await sendToRoutes(context, info, context.services.eip.api[verb], args);
    return contextIn(context);
  };

export const contextMutations: Required<Pick<MutationResolvers, Verb>> = {
  startCamelContext: ofAll('startCamelContext'),
  stopCamelContext: ofAll('stopCamelContext'),
  suspendCamelContext: ofAll('suspendCamelContext'),
  resumeCamelContext: ofAll('resumeCamelContext'),
};
