import { storedBytes } from '../../content/index.js';
import type { Histories } from '../../eip/index.js';
import { inputKeyIn } from '../../identity/index.js';
import { type Caller, SYSTEM_USER } from '../../shared/caller.js';
import { type DomainClock, SteadyClock, systemClock, VirtualClock } from '../../shared/clock.js';
import { unavailable } from '../../shared/errors.js';
import type { Principals } from '../../shared/principals.js';
import { RightsOfNow } from '../../shared/rights-of-now.js';
import {
  type Domain,
  Indexer,
  type PartitionPort,
  Reader,
  RedisLogs,
  Store,
  type StoreOptions,
} from '../../store/index.js';
import { Engines, type WorkspaceApi, WorkspaceLifecycle, workspaceDomain } from '../../workspace/index.js';
import type { Audit } from '../audit/audit.js';
import { ContentDeployer } from '../content-deployment/content-deployer.js';
import { editRouteFile } from '../content-deployment/edit-route-file.js';
import { processFiles } from '../content-deployment/process-files.js';
import { RouteEditor } from '../content-deployment/route-editor.js';
import { routeFiles } from '../content-deployment/route-files.js';
import { tellOfBlob } from '../maintenance/maintenance.js';
import { incidentNotifications } from '../notification/incident-notifications.js';
import { problemNotifications } from '../notification/told-problems.js';
import { PackageFiles, SAMPLES_USER } from '../package-files.js';
import { type RouteBlocks, routeBlocks } from '../route-workspace/route-blocks.js';
import { RouteWorkspace } from '../route-workspace/route-workspace.js';
import type { WireParts } from '../server.js';
import type { Config } from '../settings/config.js';
import { redisAddressOf } from '../settings/log-settings.js';
import { type DomainNeeds, type OpenDomain, type Opened, togetherOf } from './domain.js';
import { moduleUrls, type OpenDomains, openDomains } from './domains.js';
import { openAudit, openHistories } from './kept-records.js';
import { SYSTEM_PARTITION, workspacePartitions } from './workspaces.js';

/** The open domains in their store. */
export interface Wired extends OpenDomains {
  readonly audit: Audit;
  /** All of them. */
  readonly open: readonly OpenDomain[];
  /** Those that take calls, by name. */
  readonly workspaces: Map<string, PartitionPort>;
  readonly workspaceApi: WorkspaceApi;
  readonly requests: Requests;
  readonly lifecycle: WorkspaceLifecycle;
  readonly engines: Engines;
  readonly rights: RightsOfNow;
  readonly histories: Histories;
  readonly reader: Reader;
  readonly deployer: ContentDeployer;
  readonly editor: RouteEditor;
  readonly store: Store;
  readonly clock: DomainClock;
  readonly redis: RedisLogs | undefined;
}

/** The requests of the API, once that answers any. */
interface Requests {
  over: () => Promise<void>;
  /** Ends what calls and streams are under way in a workspace, by its name, that takes no more of them. */
  leave: (workspace: string) => Promise<void>;
}

/** Opens the domains and the store that they are in; nothing in it is open yet. */
export async function openAll(parts: WireParts, opened: Opened): Promise<Wired> {
  const { config } = parts;
  let store: Store | undefined;
  const openStore = (): Store => {
    if (store === undefined) throw unavailable('expected the server to be ready, but it is starting');
    return store;
  };
  const clock = config.clock === 'virtual' ? new VirtualClock(systemClock.now()) : new SteadyClock();
  const now = () => clock.now();
  const { indexer, reader } = openReading(config, openStore, opened);
  const histories = openHistories(config, now, opened);
  const { principals, identity, tokens } = parts;
  const requests: Requests = { over: () => Promise.resolve(), leave: () => Promise.resolve() };
  const engines = new Engines(() => openStore().find(SYSTEM_PARTITION).replica);
  const rights = new RightsOfNow(principals, ({ id }) => tokens.isAlive(id));
  const partition = (id: string) => openStore().find(id);
  const needs: DomainNeeds = {
    ...{ config, principals, identity, reader, store: openStore, engines, now, histories },
    requestsOver: () => requests.over(),
    blobDamage: (damage) => tellOfBlob(openStore(), damage),
    openWorkspace: (id) => routeWorkspace({ ...needs, ...domains, rights, blocks }, partition(id)),
    callRoute: (id, call) => domains.eip.call(id, call),
  };
  const domains: OpenDomains = await openDomains(needs, (one) => opened.push(() => one.close?.()));
  const { engine, content, eip } = domains;
  const blocks = routeBlocks(engine.domain);
  const open: readonly OpenDomain[] = Object.values(domains);
  const ofRoutes = routeFiles(eip.domain, deployerOf(rights, principals));
  const editor = editorOf(eip.domain, content);
  const kinds = [processFiles(engine.domain), ofRoutes];
  const isRunning: Engines['isRunning'] = (...of) => engines.isRunning(...of);
  const deployer = new ContentDeployer({ kinds, reader, blobs: content.blobs, partition, isRunning, now });
  for (const domain of open) if (domain.engine !== undefined) engines.add(domain.engine, domain.domain);
  const redis = redisLogs(config);
  const workspaces = new Map<string, PartitionPort>();
  const lifecycle = lifecycleOf(config, { store: openStore, open: workspaces, requests, content, deployer });
  const ofWorkspaces = workspaceDomain(lifecycle);
  const audit = openAudit(config, clock, opened);
  store = new Store(
    storeOptions(parts, {
      rights,
      open,
      others: [
        ...[deployer.domain, ofWorkspaces, blocks, problemNotifications],
        { collections: [], operations: [editor.operation, ofRoutes.operation] },
        incidentNotifications(partition, () => partition(SYSTEM_PARTITION)),
      ],
      engines,
      deployer,
      audit,
      histories,
      clock,
      reader,
      indexer,
      redis,
      inputKey: () => inputKeyIn(openStore().find(SYSTEM_PARTITION).replica.read()),
    }),
  );
  opened.push(() => store?.close(config.drainTimeoutMs));
  await Promise.all(open.map(({ warm }) => warm));
  const { api: workspaceApi } = ofWorkspaces;
  const shared = { requests, rights, audit, histories, open, workspaces, workspaceApi, lifecycle, engines };
  return { ...domains, ...shared, reader, deployer, editor, store, clock, redis };
}

type WorkspaceNeeds = Pick<DomainNeeds, 'config' | 'reader' | 'engines' | 'now'> &
  Pick<OpenDomains, 'content' | 'eip' | 'engine'> &
  Pick<Wired, 'rights'> & { readonly blocks: RouteBlocks };

/** A partition, as routes of one thread have it. */
const routeWorkspace = (
  { config, content, engine, eip, reader, rights, blocks, engines, now }: WorkspaceNeeds,
  partition: PartitionPort,
): RouteWorkspace =>
  new RouteWorkspace({
    ...{ partition, reader, rights, now, blobs: content.blobs, content: content.domain, engine: engine.domain },
    block: blocks.block,
    keepPlace: eip.domain.reports.keepPlace,
    routes: {
      api: eip.domain.api,
      settled: (routeIds) => eip.settled(partition.id, routeIds, config.answerWaitMs),
      statistics: (routeId) => eip.counters(partition.id).statistics(routeId),
    },
    isEngineOn: () => engines.isRunning(partition.id, 'bpm'),
    contentMax: config.uploadBytesMax,
  });

const editorOf = (
  eip: OpenDomains['eip']['domain'],
  { domain, blobs }: Pick<OpenDomains['content'], 'domain' | 'blobs'>,
): RouteEditor =>
  new RouteEditor({
    eip,
    blobs,
    stored: (text) => storedBytes(Buffer.from(text), blobs),
    operation: editRouteFile(domain.nodes, eip.services),
  });

/** Whom routes act as that a user has written: that user, with the rights of now; what the system has put there is of the account of the samples. */
const deployerOf =
  (rights: RightsOfNow, principals: Pick<Principals, 'find'>) =>
  (writer: string, workspace: string): Caller => {
    const userId = writer === SYSTEM_USER ? SAMPLES_USER : writer;
    const { principalId } = principals.find(userId) ?? {};
    return { ...rights.ofJob(userId, workspace, {}), ...(principalId !== undefined && { principalId }) };
  };

/** Threads that read what the store holds, and index it. */
function openReading({ dataFolder, graphqlTimeoutMs, queryReadsMax }: Config, store: () => Store, opened: Opened) {
  const indexer = new Indexer({ dataFolder, modules: moduleUrls('projections') });
  opened.push(() => indexer.close());
  const reader = new Reader({
    dataFolder,
    modules: moduleUrls('reader'),
    deadlineMs: graphqlTimeoutMs,
    queriesMax: queryReadsMax,
    index: indexer,
    refusal: (partition) => store().refusal(partition),
  });
  opened.push(() => reader.close());
  return { indexer, reader };
}

type LifecycleParts = Pick<Wired, 'content' | 'deployer' | 'requests'> & {
  readonly store: () => Store;
  readonly open: Map<string, PartitionPort>;
};

/** Workspaces come and go with their partitions; a new `web` has the samples. */
const lifecycleOf = (
  { drainTimeoutMs: drainMs }: Config,
  { store, open, requests, content, deployer }: LifecycleParts,
): WorkspaceLifecycle =>
  new WorkspaceLifecycle(
    workspacePartitions({
      store,
      open,
      leave: (name) => requests.leave(name),
      addSamples: async (web) => {
        await new PackageFiles(content.domain, content.blobs).addSamples(web);
        await deployer.deploy(web, { userId: SYSTEM_USER, paths: ['/etc'] });
      },
      drainMs,
    }),
  );

interface StoreParts {
  readonly rights: RightsOfNow;
  readonly audit: Audit;
  readonly histories: Histories;
  readonly open: readonly OpenDomain[];
  readonly engines: Engines;
  readonly deployer: ContentDeployer;
  /** What lies between the domains. */
  readonly others: readonly Domain[];
  readonly clock: DomainClock;
  readonly reader: Reader;
  readonly indexer: Indexer;
  readonly redis: RedisLogs | undefined;
  readonly inputKey: () => string;
}

function storeOptions(
  { config, isServing }: WireParts,
  { rights, audit, histories, open, engines, deployer, others, clock, reader, indexer, redis, inputKey }: StoreParts,
): StoreOptions {
  const working = ({ id }: { readonly id: string }) =>
    open.filter(({ engine }) => engine === undefined || engines.isRunning(id, engine));
  const { longJobTypes, ...together } = togetherOf([...open.map(({ domain }) => domain), ...others]);
  return {
    ...together,
    folder: config.dataFolder,
    acceptLoss: config.acceptLoss,
    ...(redis && { logs: redis }),
    clock,
    inputKey,
    jobSlots: config.jobSlots,
    opening: (partition) => {
      for (const domain of open) domain.opening?.(partition);
      audit.begin(partition);
    },
    resting: (replica) => engines.begin(replica),
    prepare: async (partition) => {
      for (const domain of open) await domain.beginning?.(partition);
      for (const domain of open) await domain.prepare?.(partition);
    },
    opened: async (partition) => {
      for (const domain of working(partition)) await domain.opened?.(partition);
      await deployer.opened(partition);
    },
    closing: async (partition) => {
      for (const domain of working(partition)) await domain.closing?.(partition);
    },
    closed: async (partition) => {
      reader.forget(partition);
      indexer.forget(partition);
      for (const domain of open) domain.closed?.(partition);
      engines.end(partition);
      await histories.forget(partition);
      await audit.end(partition);
    },
    longJobs: { types: longJobTypes, workers: config.longJobWorkers },
    mailboxMax: config.instanceCommandsMax,
    logAnswerMs: config.logAnswerMs,
    startMs: config.startPatienceMs,
    isServing,
    kept: { feedMs: config.feedKeptMs, feedEntries: config.feedEntriesMin, outcomesMs: config.outcomesKeptMs },
    callerOf: (userId, workspace, cause) => rights.ofJob(userId, workspace, cause),
    callerNow: (caller) => rights.of(caller),
    followers: (partition) => [
      indexer.follower(partition),
      audit.follower(partition),
      ...open.flatMap((domain) => domain.followers?.(partition) ?? []),
    ],
  };
}

/** The logs in Redis, where the settings name one. */
function redisLogs(config: Config): RedisLogs | undefined {
  const address = redisAddressOf(config);
  if (address === undefined) return undefined;
  return new RedisLogs({ address, dataFolder: config.dataFolder, answerMs: config.logAnswerMs });
}
