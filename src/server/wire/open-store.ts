import { inputKeyIn } from '../../identity/index.js';
import { type DomainClock, SteadyClock, systemClock, VirtualClock } from '../../shared/clock.js';
import { unavailable } from '../../shared/errors.js';
import { RightsOfNow } from '../../shared/rights-of-now.js';
import {
  type BlobDamage,
  type Domain,
  Indexer,
  Reader,
  Records,
  RedisLogs,
  Store,
  type StoreOptions,
} from '../../store/index.js';
import { type WorkspaceApi, workspaceDomain } from '../../workspace/index.js';
import { AUDIT_STREAM, Audit } from '../audit/audit.js';
import { ContentDeployer } from '../content-deployment/content-deployer.js';
import { tellOfBlob } from '../maintenance/maintenance.js';
import { incidentNotifications } from '../notification/incident-notifications.js';
import { problemNotifications } from '../notification/told-problems.js';
import type { WireParts } from '../server.js';
import type { Config } from '../settings/config.js';
import { redisAddressOf } from '../settings/log-settings.js';
import { type OpenDomain, togetherOf } from './domain.js';
import { moduleUrls, type OpenDomains, openDomains } from './domains.js';
import { OpenWorkspaces, SYSTEM_PARTITION, workspacePartitions } from './workspaces.js';

/** Things to be closed, in the order in which they were opened. */
export type Opened = (() => unknown)[];

/** The open domains in their store. */
export interface Wired extends OpenDomains {
  readonly audit: Audit;
  /** All of them. */
  readonly open: readonly OpenDomain[];
  /** Those that take calls, by name. */
  readonly workspaces: OpenWorkspaces;
  readonly workspaceApi: WorkspaceApi;
  readonly requests: Requests;
  readonly rights: RightsOfNow;
  readonly reader: Reader;
  readonly deployer: ContentDeployer;
  readonly store: Store;
  readonly clock: DomainClock;
  readonly redis: RedisLogs | undefined;
}

/** The requests of the API, once that answers any. */
interface Requests {
  over: () => Promise<void>;
}

/** Opens the domains and the store that they are in; nothing in it is open yet. */
export async function openAll(parts: WireParts, opened: Opened): Promise<Wired> {
  const { config } = parts;
  const { dataFolder } = config;
  let store: Store | undefined;
  const openStore = (): Store => {
    if (store === undefined) throw unavailable('expected the server to be ready, but it is starting');
    return store;
  };
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
    refusal: (partition) => openStore().refusal(partition),
  });
  opened.push(() => reader.close());
  const blobDamage = (damage: BlobDamage) => tellOfBlob(openStore(), damage);
  const { principals, identity, tokens } = parts;
  const requests: Requests = { over: () => Promise.resolve() };
  const requestsOver = () => requests.over();
  const domains = await openDomains(
    { config, principals, identity, reader, store: openStore, requestsOver, now, blobDamage },
    (one) => opened.push(() => one.close?.()),
  );
  const { engine, content } = domains;
  const open: readonly OpenDomain[] = Object.values(domains);
  const partition = (id: string) => openStore().find(id);
  const deployer = new ContentDeployer({ engine: engine.domain, reader, blobs: content.blobs, partition, now });
  const redis = redisLogs(config);
  const workspaces = new OpenWorkspaces();
  const ofWorkspaces = workspaceDomain(workspacePartitions(openStore, workspaces, config.drainTimeoutMs));
  const rights = new RightsOfNow(principals, ({ id }) => tokens.isAlive(id));
  const audit = openAudit(config, clock, opened);
  store = new Store(
    storeOptions(parts, {
      rights,
      open,
      others: [
        deployer.domain,
        ofWorkspaces,
        incidentNotifications(partition, () => partition(SYSTEM_PARTITION)),
        problemNotifications,
      ],
      audit,
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
  const shared = { requests, rights, audit, open, workspaces, workspaceApi };
  return { ...domains, ...shared, reader, deployer, store, clock, redis };
}

/** Closed behind the store, whose last commits are its, too. */
function openAudit({ dataFolder, auditKeptMs }: Config, clock: DomainClock, opened: Opened): Audit {
  // By the machine's clock: nobody makes entries go by setting a virtual one forward.
  const retention = { [AUDIT_STREAM]: { ageMaxMs: auditKeptMs } };
  const audit = new Audit(new Records({ dataFolder, retention }), clock);
  opened.push(() => audit.close());
  return audit;
}

interface StoreParts {
  readonly rights: RightsOfNow;
  readonly audit: Audit;
  readonly open: readonly OpenDomain[];
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
  { rights, audit, open, others, clock, reader, indexer, redis, inputKey }: StoreParts,
): StoreOptions {
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
    beginning: async (partition) => {
      for (const domain of open) await domain.beginning?.(partition);
    },
    opened: async (partition) => {
      for (const domain of open) await domain.prepare?.(partition);
    },
    closing: async (partition) => {
      for (const domain of open) await domain.closing?.(partition);
    },
    closed: async (partition) => {
      reader.forget(partition);
      indexer.forget(partition);
      for (const domain of open) domain.closed?.(partition);
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
