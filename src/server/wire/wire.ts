import { type EngineGauges, engineGauges } from '../../engine/index.js';
import type { ApiServices } from '../../graphql/index.js';
import { type Caller, type Cause, SYSTEM_USER, systemCaller } from '../../shared/caller.js';
import { type DomainClock, SteadyClock, systemClock, VirtualClock } from '../../shared/clock.js';
import { unavailable } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import type { Principals } from '../../shared/principals.js';
import { systemTime } from '../../shared/time.js';
import {
  allCollections,
  type BlobDamage,
  type Domain,
  Indexer,
  type Loss,
  Reader,
  Records,
  RedisLogs,
  Store,
  type StoreOptions,
} from '../../store/index.js';
import { AUDIT_STREAM, Audit } from '../audit/audit.js';
import { ContentDeployer } from '../content-deployment/content-deployer.js';
import { fileParts } from '../download/file-routes.js';
import { Readiness } from '../http/readiness.js';
import {
  backgroundCheck,
  lookAtRedis,
  sweepBlobs,
  sweepLongJobs,
  tellOfBlob,
  watchClock,
} from '../maintenance/maintenance.js';
import { MINUTE_MS, recur } from '../maintenance/recurring.js';
import { SessionLocks } from '../maintenance/session-locks.js';
import { PackageFiles } from '../package-files.js';
import type { Wire, WireParts } from '../server.js';
import type { Config } from '../settings/config.js';
import { redisAddressOf } from '../settings/log-settings.js';
import { observeEngine } from '../telemetry/gauges.js';
import { type OpenDomain, togetherOf } from './domain.js';
import { domainModules, moduleUrls, type OpenDomains, openDomains } from './domains.js';
import { graphqlHandler } from './graphql-handler.js';
import { VirtualTime } from './virtual-time.js';
import { openWorkspaces, SYSTEM_PARTITION, type Workspaces, workspaceDomain } from './workspaces.js';

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

/** The open domains in their store. */
interface Wired extends OpenDomains {
  readonly audit: Audit;
  /** All of them. */
  readonly open: readonly OpenDomain[];
  readonly reader: Reader;
  readonly deployer: ContentDeployer;
  readonly store: Store;
  readonly clock: DomainClock;
  readonly redis: RedisLogs | undefined;
}

async function wired(parts: WireParts, opened: Opened): Promise<Omit<Wire, 'close'>> {
  const { config } = parts;
  const domains = await openAll(parts, opened);
  const { store } = domains;
  const workspaces = await whileTelling(store, config.logAnswerMs, () => openWithSamples(domains, config.dataFolder));
  store.started();
  tellUnusedAcceptance(config.acceptLoss, store.integrity.losses);
  beginMaintenance(parts, domains, opened);
  const graphql = graphqlHandler(parts, workspaces, apiServices(parts, domains));
  opened.push(parts.signIn.onTried((tried) => domains.audit.noteSignIn(SYSTEM_PARTITION, tried)));
  opened.push(parts.sessions.onEnd((sessionId) => graphql.endSession(sessionId)));
  const readiness = new Readiness(store, config.commandWaitMs);
  return {
    graphql,
    routes: fileParts(parts, { ...domains, workspaces }),
    unready: () => readiness.check(),
    warnings: () => readiness.warnings(),
    losses: store.integrity.losses.map(({ message }) => message),
    drain: async () => {
      graphql.close();
      await store.longJobs.drain(config.drainTimeoutMs);
    },
  };
}

async function openAll(parts: WireParts, opened: Opened): Promise<Wired> {
  const { config } = parts;
  const { dataFolder } = config;
  const clock = config.clock === 'virtual' ? new VirtualClock(systemClock.now()) : new SteadyClock();
  const now = () => clock.now();
  const indexer = new Indexer({ dataFolder, modules: moduleUrls('projections') });
  opened.push(() => indexer.close());
  const reader = new Reader({
    dataFolder,
    modules: moduleUrls('reader'),
    deadlineMs: config.graphqlTimeoutMs,
    queriesMax: config.queryReadsMax,
    index: indexer,
  });
  opened.push(() => reader.close());
  let store: Store | undefined;
  const openStore = (): Store => {
    if (store === undefined) throw unavailable('expected the server to be ready, but it is starting');
    return store;
  };
  const blobDamage = (damage: BlobDamage) => tellOfBlob(openStore(), damage);
  const { principals, identity } = parts;
  const domains = await openDomains(
    { config, principals, identity, reader, store: openStore, now, blobDamage },
    (one) => opened.push(() => one.close?.()),
  );
  const { engine, content } = domains;
  const open: readonly OpenDomain[] = Object.values(domains);
  const partition = (id: string) => openStore().find(id);
  const deployer = new ContentDeployer({ engine: engine.domain, reader, blobs: content.blobs, partition, now });
  const redis = redisLogs(config);
  const audit = openAudit(config, clock, opened);
  store = new Store(
    storeOptions(parts, {
      open,
      others: [deployer.domain, workspaceDomain],
      audit,
      clock,
      indexer,
      redis,
    }),
  );
  opened.push(() => store?.close(config.drainTimeoutMs));
  await Promise.all(open.map(({ warm }) => warm));
  return { ...domains, open, reader, deployer, store, clock, redis, audit };
}

/** Closed behind the store, whose last commits are its, too. */
function openAudit({ dataFolder, auditKeptMs }: Config, clock: DomainClock, opened: Opened): Audit {
  const retention = { [AUDIT_STREAM]: { ageMaxMs: auditKeptMs } };
  const audit = new Audit(new Records({ dataFolder, clock, retention }), clock);
  opened.push(() => audit.close());
  return audit;
}

const openWithSamples = ({ content, deployer, store }: Wired, dataFolder: string): Promise<Workspaces> =>
  openWorkspaces(store, dataFolder, async (partition) => {
    await new PackageFiles(content.domain, content.blobs).addSamples(partition);
    await deployer.deploy(partition);
  });

/** What goes on by itself, and what is looked at from outside. */
function beginMaintenance(
  { config, sessions }: WireParts,
  { open, content, reader, store, clock, redis }: Wired,
  opened: Opened,
): void {
  const { dataFolder } = config;
  const collections = allCollections(domainModules);
  const sessionLocks = new SessionLocks({ store, content: content.domain, sessions });
  opened.push(() => sessionLocks.close());
  const recurring = recur([
    ...open.flatMap((domain) => domain.recurring ?? []),
    { name: 'sessions', everyMs: MINUTE_MS, work: () => sessions.sweep() },
    sessionLocks.recurring,
    sweepLongJobs(store, { keptMs: config.longJobsKeptMs, now: () => clock.now() }),
    sweepBlobs(content.blobs, { dataFolder, keptMs: config.blobsKeptMs, collections }),
    ...(redis === undefined ? [] : [lookAtRedis(redis)]),
    ...(clock instanceof SteadyClock ? [watchClock(clock)] : []),
  ]);
  opened.push(() => recurring.close());
  const scrubber = backgroundCheck(config, store, content.blobs);
  opened.push(() => scrubber.close());
  const count = (id: string) => countIn(reader, id, clock.now());
  opened.push(observeEngine({ partitions: () => store.partitions.map(({ id }) => id), count }));
}

function apiServices({ config, principals, identity }: WireParts, wiredDomains: Wired): ApiServices {
  const { audit, engine, content, reader, deployer, store, clock } = wiredDomains;
  const time = new VirtualTime(clock, () => store.partitions);
  return {
    reader,
    audit,
    system: () => store.find(SYSTEM_PARTITION),
    principals,
    identity: { directory: identity.directory, hash: (password) => identity.passwords.hash(password) },
    engine: engine.domain,
    content: content.domain,
    blobs: content.blobs,
    chunks: content.chunks,
    longJobs: store.longJobs.operations,
    programs: engine.programs,
    deployer,
    now: () => clock.now(),
    answerWaitMs: config.answerWaitMs,
    advanceClock: (change, caller) => time.advance(change, caller),
  };
}

interface StoreParts {
  readonly audit: Audit;
  readonly open: readonly OpenDomain[];
  /** What lies between the domains. */
  readonly others: readonly Domain[];
  readonly clock: DomainClock;
  readonly indexer: Indexer;
  readonly redis: RedisLogs | undefined;
}

function storeOptions(
  { config, principals, isServing }: WireParts,
  { audit, open, others, clock, indexer, redis }: StoreParts,
): StoreOptions {
  const { longJobTypes, ...together } = togetherOf([...open.map(({ domain }) => domain), ...others]);
  return {
    ...together,
    folder: config.dataFolder,
    acceptLoss: config.acceptLoss,
    ...(redis && { logs: redis }),
    clock,
    jobSlots: config.jobSlots,
    opening: (partition) => {
      for (const domain of open) domain.opening?.(partition);
      audit.begin(partition);
    },
    opened: async (partition) => {
      for (const domain of open) await domain.prepare?.(partition);
    },
    longJobs: { types: longJobTypes, workers: config.longJobWorkers },
    mailboxMax: config.instanceCommandsMax,
    logAnswerMs: config.logAnswerMs,
    startMs: config.startPatienceMs,
    isServing,
    kept: { feedMs: config.feedKeptMs, feedEntries: config.feedEntriesMin, outcomesMs: config.outcomesKeptMs },
    callerOf: (userId, workspace, cause) => callerOf(principals, userId, workspace, cause),
    followers: (partition) => [
      indexer.follower(partition),
      audit.follower(partition),
      ...open.flatMap((domain) => domain.follower?.(partition) ?? []),
    ],
  };
}

/** The logs in Redis, where the settings name one. */
function redisLogs(config: Config): RedisLogs | undefined {
  const address = redisAddressOf(config);
  if (address === undefined) return undefined;
  return new RedisLogs({ address, dataFolder: config.dataFolder, answerMs: config.logAnswerMs });
}

/** For gauges: counts that no caller sees. */
async function countIn(reader: Reader, partition: string, now: number): Promise<EngineGauges> {
  return (await reader.query(partition, engineGauges, { now }, systemCaller(''))).answer;
}

/** Groups and roles of whoever a job acts for, as they are now; the store's own commands are the system's. */
function callerOf(principals: Principals, userId: string, workspace: string, cause: Cause): Caller {
  if (userId === SYSTEM_USER) return systemCaller(workspace, cause);
  const groups = principals.groupsOf(userId);
  return { userId, groups, roles: principals.rolesOf(userId), sessionId: null, workspace, cause };
}

/** Tells, for as long as this takes, that it waits for the log. */
async function whileTelling<T>(store: Store, everyMs: number, work: () => Promise<T>): Promise<T> {
  const look = () => {
    for (const partition of store.partitions) {
      const ms = Math.round(partition.decider.waitedMs());
      if (ms > everyMs) log.warn({ partition: partition.id, ms }, 'the start waits for the log');
    }
  };
  const looking = systemTime.every(everyMs, look);
  return work().finally(() => looking.cancel());
}

/** Tells of a MILLRACE_ACCEPT_LOSS that was not needed: left as it is, it would accept the next loss unseen. */
function tellUnusedAcceptance(acceptLoss: string | undefined, losses: readonly Loss[]): void {
  if (acceptLoss === undefined || losses.some(({ isAccepted }) => isAccepted === true)) return;
  log.warn(
    { path: acceptLoss },
    'MILLRACE_ACCEPT_LOSS is set, but nothing is lost that it would have to accept: unset it, or the next loss of that log is accepted unseen',
  );
}
