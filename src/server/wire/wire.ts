import type { Engine, EngineGauges, ProgramStore } from '../../engine/index.js';
import {
  ApiContext,
  type ApiServices,
  type ApiWorkspace,
  apiResolvers,
  createGraphqlHandler,
  type GraphqlHandler,
  makeSchema,
  readTypeDefs,
} from '../../graphql/index.js';
import type { Caller, Cause } from '../../shared/caller.js';
import { type DomainClock, SteadyClock, systemClock, VirtualClock } from '../../shared/clock.js';
import type { Principals } from '../../shared/principals.js';
import {
  earliestPosition,
  Indexer,
  Reader,
  Store,
  SYSTEM_USER,
  storeCollections,
  systemCaller,
} from '../../store/index.js';
import { ContentDeployer } from '../content-deployment/content-deployer.js';
import { contentDeployments, noteDeployments } from '../content-deployment/deployment-record.js';
import { fileParts } from '../download/file-parts.js';
import { clientAddress } from '../http/client-address.js';
import { Readiness } from '../http/readiness.js';
import { backgroundCheck, tellOfBlob } from '../maintenance/background-check.js';
import { watchClock } from '../maintenance/clock-watch.js';
import { HistoryCleanup } from '../maintenance/history-cleanup.js';
import { openRedisLogs } from '../maintenance/redis-look.js';
import { SessionLocks } from '../maintenance/session-locks.js';
import type { Wire, WireParts } from '../server.js';
import { engineSpans } from '../telemetry/engine-spans.js';
import { observeEngine } from '../telemetry/gauges.js';
import {
  blobSweep,
  type ContentParts,
  contentParts,
  detachedSweep,
  prepareContent,
  uploadCleanup,
  versionSweep,
} from './content-parts.js';
import { engineParts } from './engine-parts.js';
import { limitsOf, streamLimitsOf } from './graphql-limits.js';
import { loadHandlers } from './handlers-module.js';
import { PackageFiles } from './package-files.js';
import { tellUnusedAcceptance, whileTelling } from './start-watch.js';
import { VirtualTime } from './virtual-time.js';
import { Workspaces, workspaceOperations, workspaces } from './workspaces.js';

/** Puts the domains together: the engine in a store, the store behind GraphQL. What was opened is closed again when that fails. */
export async function makeWire(parts: WireParts): Promise<Wire> {
  const opened: Opened = [];
  const close = async () => {
    for (const closing of opened.splice(0).reverse()) await closing();
  };
  try {
    return { ...(await wired(parts, opened)), close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** Things to be closed, in the order in which they were opened. */
type Opened = (() => unknown)[];

/** The domains in their store. */
interface Domains {
  readonly engine: Engine;
  readonly programs: ProgramStore;
  readonly content: ContentParts;
  readonly reader: Reader;
  readonly deployer: ContentDeployer;
  readonly store: Store;
  readonly clock: DomainClock;
}

async function wired(parts: WireParts, opened: Opened): Promise<Omit<Wire, 'close'>> {
  const domains = await openDomains(parts, opened);
  const { store } = domains;
  const workspaces = await whileTelling(store, parts.config.logAnswerMs, () =>
    openWorkspaces(domains, parts.config.dataFolder),
  );
  store.started();
  tellUnusedAcceptance(parts.config.acceptLoss, store.integrity.losses);
  beginCleaning(parts, domains, opened);
  const graphql = graphqlHandler(parts, workspaces, apiServices(parts, domains));
  opened.push(parts.sessions.onEnd((sessionId) => graphql.endSession(sessionId)));
  const readiness = new Readiness(store, parts.config.commandWaitMs);
  return {
    graphql: (req, res) => void graphql(req, res),
    routes: fileParts(parts, { ...domains, workspaces }),
    unready: () => readiness.check(),
    warnings: () => readiness.warnings(),
    losses: store.integrity.losses.map(({ message }) => message),
    drain: async () => {
      graphql.close();
      await store.longJobs.drain(parts.config.drainTimeoutMs);
    },
  };
}

async function openDomains(parts: WireParts, opened: Opened): Promise<Domains> {
  const { config } = parts;
  const clock = config.clock === 'virtual' ? new VirtualClock(systemClock.now()) : new SteadyClock();
  const { engine, programs, handlers, warm, close: closeEngine } = engineParts(config);
  opened.push(closeEngine);
  if (config.handlers !== undefined) await loadHandlers(config.handlers, handlers);
  const indexer = new Indexer({ dataFolder: config.dataFolder, modules: [] });
  opened.push(() => indexer.close());
  const reader = new Reader({
    dataFolder: config.dataFolder,
    modules: ['engine', 'content'].map(
      (domain) => new URL(`../../${domain}/reader/reader-module.js`, import.meta.url).href,
    ),
    deadlineMs: config.graphqlTimeoutMs,
    queriesMax: config.queryReadsMax,
    index: indexer,
  });
  opened.push(() => reader.close());
  const content = await contentParts(config, {
    reader,
    principals: parts.principals,
    told: (damage) => tellOfBlob(store, damage),
  });
  opened.push(() => content.staged.quiet());
  opened.push(() => content.xmlParser.close());
  const deployer = new ContentDeployer({
    engine,
    reader,
    blobs: content.blobs,
    partition: (id) => store.find(id),
    now: () => clock.now(),
  });
  const redis = openRedisLogs(config);
  opened.push(redis.close);
  const store: Store = openStore(parts, { engine, programs, content, deployer, clock, indexer, redis });
  opened.push(() => store.close(config.drainTimeoutMs));
  opened.push(content.largeWork.connect(store, config));
  await warm;
  return { engine, programs, content, reader, deployer, store, clock };
}

const openWorkspaces = ({ content, deployer, store }: Domains, dataFolder: string): Promise<Workspaces> =>
  Workspaces.open(store, dataFolder, async (partition) => {
    await new PackageFiles(content.content, content.blobs).addSamples(partition);
    await deployer.deploy(partition);
  });

/** What goes on by itself, and what is looked at from outside. */
function beginCleaning(
  { config, sessions }: WireParts,
  { engine, content, reader, store, clock }: Domains,
  opened: Opened,
): void {
  const cleanup = new HistoryCleanup({ store, engine, now: () => clock.now(), keptMs: config.historyKeptMs });
  opened.push(() => cleanup.close());
  const uploads = uploadCleanup(store, content);
  opened.push(() => uploads.close());
  const sessionLocks = new SessionLocks({ store, content: content.content, sessions });
  opened.push(() => sessionLocks.close());
  const sweep = blobSweep(config, content.blobs, [
    ...storeCollections,
    ...engine.collections,
    ...content.content.collections,
  ]);
  opened.push(() => sweep.close());
  const versions = versionSweep(store, content, () => clock.now());
  opened.push(() => versions.close());
  const detached = detachedSweep(store, content, () => clock.now());
  opened.push(() => detached.close());
  if (clock instanceof SteadyClock) {
    const watch = watchClock(clock);
    opened.push(() => watch.close());
  }
  const scrubber = backgroundCheck(config, store, content.blobs);
  opened.push(() => scrubber.close());
  const count = (id: string) => countIn(reader, id, clock.now());
  opened.push(observeEngine({ partitions: () => store.partitions.map(({ id }) => id), count }));
}

function apiServices({ config, principals }: WireParts, domains: Domains): ApiServices {
  const { engine, programs, content, reader, deployer, store, clock } = domains;
  const time = new VirtualTime(clock, () => store.partitions);
  return {
    reader,
    principals,
    engine,
    content: content.content,
    blobs: content.blobs,
    chunks: content.chunks,
    longJobs: store.longJobs.operations,
    programs,
    refusedModelsAt: (partition, paths) => deployer.refusedAt(partition, paths),
    now: () => clock.now(),
    answerWaitMs: config.answerWaitMs,
    advanceClock: (change, caller) => time.advance(change, caller),
  };
}

interface StoreParts {
  readonly engine: Engine;
  readonly programs: ProgramStore;
  readonly content: ContentParts;
  readonly deployer: ContentDeployer;
  readonly clock: DomainClock;
  readonly indexer: Indexer;
  readonly redis: ReturnType<typeof openRedisLogs>;
}

function openStore(
  { config, principals, isServing }: WireParts,
  { engine, programs, content: parts, deployer, clock, indexer, redis }: StoreParts,
): Store {
  const { content, staged } = parts;
  const spans = engineSpans({
    state: (id) => store.find(id).read(),
    program: (state, definitionId) => programs.find(state, definitionId),
    now: () => clock.now(),
  });
  const { dataFolder, logAnswerMs, startPatienceMs: startMs } = config;
  const store: Store = new Store({
    folder: dataFolder,
    acceptLoss: config.acceptLoss,
    ...(redis.logs && { logs: redis.logs }),
    collections: [...engine.collections, ...content.collections, contentDeployments, workspaces],
    operations: [...engine.operations, ...content.operations, noteDeployments, ...workspaceOperations],
    evaluators: { ...engine.evaluators, ...content.evaluators },
    jobTypes: [...engine.jobTypes, ...content.jobTypes, deployer.jobType],
    reactions: [deployer.reaction],
    clock,
    jobSlots: config.jobSlots,
    opened: (partition) => prepareContent(parts, partition),
    longJobs: { types: content.longJobTypes, workers: config.longJobWorkers, keptMs: config.longJobsKeptMs },
    mailboxMax: config.instanceCommandsMax,
    logAnswerMs,
    startMs,
    isServing,
    kept: { feedMs: config.feedKeptMs, feedEntries: config.feedEntriesMin, outcomesMs: config.outcomesKeptMs },
    callerOf: (userId, workspace, cause) => callerOf(principals, userId, workspace, cause),
    committed: (partition, committed) => {
      indexer.advance(partition, committed.record.revision);
      spans(partition, committed);
      staged.committed(partition, committed);
    },
  });
  return store;
}

function graphqlHandler(
  { config, signIn, sessions, bodies }: WireParts,
  open: Workspaces,
  services: ApiServices,
): GraphqlHandler {
  const { schema, sparing, problems } = makeSchema({ typeDefs: readTypeDefs(), resolvers: apiResolvers });
  if (problems.length > 0) throw new Error(`the schema is not whole: ${problems.join('; ')}`);
  return createGraphqlHandler<ApiWorkspace>({
    schema,
    sparing,
    authenticate: async (request) => {
      const identity = await signIn.authenticate(request);
      return identity === undefined ? null : { ...identity, workspace: '', cause: {} };
    },
    addressOf: (request) => clientAddress(request, config.proxyHops),
    workspace: (name) => {
      const partition = open.find(name);
      return partition === undefined ? undefined : { partition };
    },
    context: (facts) => new ApiContext(facts, services),
    earliestPosition,
    ...(config.allowedOrigins !== undefined && { allowedOrigins: config.allowedOrigins }),
    stillValid: ({ sessionId }) => sessionId === null || sessions.isAlive(sessionId),
    limits: limitsOf(config),
    bodies,
    streamLimits: streamLimitsOf(config),
  });
}

/** For gauges: counts that no caller sees. */
async function countIn(reader: Reader, partition: string, now: number): Promise<EngineGauges> {
  return (await reader.query<EngineGauges>(partition, 'engineGauges', { now }, systemCaller(''))).answer;
}

/** Groups and roles of whoever a job acts for, as they are now; the store's own commands are the system's. */
function callerOf(principals: Principals, userId: string, workspace: string, cause: Cause): Caller {
  if (userId === SYSTEM_USER) return systemCaller(workspace, cause);
  const groups = principals.groupsOf(userId);
  return { userId, groups, roles: principals.rolesOf(userId), sessionId: null, workspace, cause };
}
