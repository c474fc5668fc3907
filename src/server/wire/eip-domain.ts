import {
  allRoutes,
  Conductor,
  createEip,
  type Deployer,
  type Eip,
  type HttpMount,
  type HttpPlace,
  MountTable,
  type OpenRuntime,
  type RouteCall,
  type RouteComponent,
  type RouteCounters,
  type RouteReply,
  type RouteTrials,
  readRoutes,
  readTemplate,
  routeTemplates,
  StatisticsKeeper,
  servedPlaces,
} from '../../eip/index.js';
import { refuse, unavailable } from '../../shared/errors.js';
import { RightsOfNow } from '../../shared/rights-of-now.js';
import { systemTime } from '../../shared/time.js';
import type { PartitionPort, State } from '../../store/index.js';
import type { CountedWorkspace } from '../telemetry/route-gauges.js';
import type { DomainNeeds, OpenDomain } from './domain.js';
import { RouteCalls } from './route-calls.js';
import { openRouteParts } from './route-parts.js';
import type { RouteClock } from './virtual-time.js';

/** Routes with what runs them in each workspace. */
interface EipDomain extends OpenDomain {
  readonly domain: Eip;
  /** What routes may use. */
  readonly components: readonly RouteComponent[];
  /** Resolves when the runtime has done what it is to do for the routes, at the latest after `ms`. */
  /** @throws UNAVAILABLE where the routes of the workspace are starting */
  trials(partition: string): RouteTrials;
  /** What routes of a workspace serve over HTTP. */
  served(partition: string): MountTable<HttpMount>;
  /** What a route would serve of that if it ran. */
  resting(partition: string, method: string, names: readonly string[]): HttpPlace | undefined;
  /** What is counted of routes. @throws UNAVAILABLE as {@link trials} */
  counters(partition: string): RouteCounters;
  /** What is counted of the routes of each workspace. */
  counted(): readonly CountedWorkspace[];
  /** Users have changed. */
  lookAgain(): void;
  /** Counts anew: one route, or all. */
  reset(partition: string, routeId: string | null): Promise<void>;
  /** Whether each step of each exchange is written to the log. */
  trace(partition: string, isOn: boolean): Promise<void>;
  settled(partition: string, routeIds: readonly string[], ms: number): Promise<void>;
  /** Calls a route; where the routes of the workspace are starting, when they have. @throws UNAVAILABLE they do not start in time, or are off */
  call(partition: string, call: RouteCall): Promise<RouteReply>;
  /** The clocks of the routes of each workspace, where they are set. */
  readonly clocks: () => readonly RouteClock[];
}

const starting = () => unavailable('expected the routes of the workspace to run, but they are starting');

/** Before the second start of a route, and at most before any further one, ms. */
const BACKOFF = { delayMs: 2_000, delayMaxMs: 60_000 };

export function openEip(needs: DomainNeeds): EipDomain {
  const { config, store } = needs;
  const served = new Map<string, MountTable<HttpMount>>();
  const front = (partition: string) => {
    const table = served.get(partition) ?? new MountTable<HttpMount>();
    served.set(partition, table);
    return table;
  };
  const { open, read, components, close } = openRouteParts({ ...needs, front, partitionOf: (id) => store().find(id) });
  const conductors = new Map<string, Conductor>();
  const keepers = new Map<string, StatisticsKeeper>();
  const calls = new RouteCalls(
    (id) => needs.engines.isRunning(id, 'eip'),
    (id) => conductors.get(id)?.runtime,
  );
  const runtimeOf = (partition: string) => conductors.get(partition)?.runtime ?? refuse(starting());
  const domain = createEip({
    readRoutes: (question) => {
      const runtime = runtimeOf(question.partition);
      const template = (id: string) => templateIn(store().find(question.partition).replica.read(), id);
      return readRoutes(question, { read, template, runtime });
    },
    backoff: { attempts: config.routeStarts, ...BACKOFF },
    drainMs: config.routeDrainMs,
  });
  return {
    domain,
    engine: 'eip',
    components,
    followers: (id) => [
      { collections: domain.collections, committed: (commit) => conductors.get(id)?.committed(commit) },
    ],
    opened: async (partition) => {
      const { id } = partition;
      const conductor = conductorOf(partition, open, domain, needs);
      const keeper = keeperOf(partition, conductor, needs);
      keepers.set(id, keeper);
      await keeper.begin();
      conductors.set(id, conductor);
      calls.started(id);
      await conductor.begin();
    },
    closing: async ({ id }) => {
      calls.ending(id);
      await conductors.get(id)?.end(config.drainTimeoutMs);
      await keepers.get(id)?.end();
    },
    closed: (partition) => {
      conductors.delete(partition);
      calls.ended(partition);
      served.delete(partition);
      keepers.delete(partition);
    },
    close,
    trials: runtimeOf,
    served: front,
    resting: (partition, ...asked) => restingIn(store().find(partition).replica.read(), ...asked),
    call: (partition, call) => calls.call(partition, call),
    counters: runtimeOf,
    counted: () => Array.from(conductors, ([id, { runtime }]) => countedIn(store().find(id).replica, runtime)),
    lookAgain: () => {
      for (const conductor of conductors.values()) conductor.lookAgain();
    },
    reset: async (partition, routeId) => {
      await runtimeOf(partition).reset(routeId);
      await keepers.get(partition)?.save();
    },
    trace: async (partition, isOn) => runtimeOf(partition).trace(isOn),
    clocks: () => [...conductors.values()],
    settled: async (partition, routeIds, ms) => conductors.get(partition)?.settled(routeIds, ms),
  };
}

function conductorOf(
  partition: PartitionPort,
  open: OpenRuntime,
  { reports }: Eip,
  { principals }: Pick<DomainNeeds, 'principals'>,
): Conductor {
  const { id, workspace } = partition;
  const rights = new RightsOfNow(principals);
  const mayAct = (user: Deployer) => rights.mayAct(user);
  return new Conductor({ partition, reports, mayAct, open: (told) => open({ partition: id, workspace }, told) });
}

function templateIn(state: State, id: string) {
  const found = state.get(routeTemplates, id);
  return found && readTemplate(state, found).model;
}

/** What a route would serve if it ran. */
function restingIn(state: State, method: string, names: readonly string[]): HttpPlace | undefined {
  const table = new MountTable<HttpPlace>();
  for (const place of servedPlaces(state)) mountOnce(table, place);
  const found = table.find(method, names);
  return found !== undefined && 'mount' in found ? found.mount : undefined;
}

/** Of routes that claim the same path, the first one. */
function mountOnce(table: MountTable<HttpPlace>, place: HttpPlace): void {
  try {
    table.mount(place);
  } catch {
    // The other one did not start for that reason.
  }
}

const keeperOf = (
  { id, workspace, replica }: PartitionPort,
  { runtime }: Conductor,
  { histories }: Pick<DomainNeeds, 'histories'>,
): StatisticsKeeper =>
  new StatisticsKeeper({
    ...{ workspace, runtime, store: histories.statisticsOf(id), time: systemTime },
    routes: () => allRoutes(replica.read()),
  });

function countedIn(replica: PartitionPort['replica'], runtime: RouteCounters): CountedWorkspace {
  const routes = allRoutes(replica.read());
  return { workspace: replica.workspace, routes, counted: runtime.counted(routes.map(({ id }) => id)) };
}
