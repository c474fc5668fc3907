import type { IncomingMessage } from 'node:http';
import { type EngineGauges, engineGauges } from '../../engine/index.js';
import type { ApiServices } from '../../graphql/index.js';
import { systemCaller } from '../../shared/caller.js';
import { SteadyClock, systemClock } from '../../shared/clock.js';
import { type ServiceError, unavailable } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import { systemTime } from '../../shared/time.js';
import { allCollections, type Loss, type Reader, type Store } from '../../store/index.js';
import { workspaceAway } from '../../workspace/index.js';
import type { Audit } from '../audit/audit.js';
import { fileParts } from '../download/file-routes.js';
import type { RequestHandler } from '../http/front.js';
import { Readiness, type Warning } from '../http/readiness.js';
import { clientAddress } from '../http/request-origin.js';
import { routeRequests } from '../http/route-requests.js';
import { DiskRoom, roomIn } from '../maintenance/disk-room.js';
import { backgroundCheck, lookAtRedis, sweepBlobs, sweepLongJobs, watchClock } from '../maintenance/maintenance.js';
import { HOUR_MS, inEach, MINUTE_MS, recur } from '../maintenance/recurring.js';
import { SessionLocks } from '../maintenance/session-locks.js';
import { tellProblems } from '../notification/told-problems.js';
import type { Wire, WireParts } from '../server.js';
import { newTokenSecret } from '../session/api-tokens.js';
import { observeEngine } from '../telemetry/gauges.js';
import { observeRoutes } from '../telemetry/route-gauges.js';
import { packageVersion } from '../usage.js';
import { clusterOf } from './cluster.js';
import type { Opened } from './domain.js';
import { domainModules } from './domains.js';
import { graphqlHandler } from './graphql-handler.js';
import { openAll, type Wired } from './open-store.js';
import { restHandler } from './rest-handler.js';
import { VirtualTime } from './virtual-time.js';
import {
  failedWarnings,
  failedWorkspaces,
  knownPartitions,
  openWorkspaces,
  SYSTEM_PARTITION,
  type Workspaces,
} from './workspaces.js';

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

async function wired(parts: WireParts, opened: Opened): Promise<Omit<Wire, 'close'>> {
  const { config } = parts;
  const domains = await openAll(parts, opened);
  const { store, lifecycle } = domains;
  const workspaces = await whileTelling(store, config.logAnswerMs, () =>
    openWorkspaces(store, config.dataFolder, lifecycle, domains.workspaces),
  );
  store.started();
  tellUnusedAcceptance(config.acceptLoss, store.integrity.losses);
  const disk = new DiskRoom(() => roomIn(config.dataFolder), {
    lowBytes: config.diskLowBytes,
    criticalBytes: config.diskCriticalBytes,
  });
  const failed = () => failedWorkspaces(store);
  const further = () => [...disk.problems, ...domains.audit.problems, ...failedWarnings(failed())];
  const readiness = new Readiness(store, config.commandWaitMs, further);
  const problems = async () => {
    await disk.look();
    const unready = await readiness.check();
    // Of a workspace that failed it is told by itself, by its name.
    const warnings = readiness.warnings().filter(({ reason }) => reason !== 'workspace_failed');
    return [...(unready === undefined ? [] : [unready]), ...warnings];
  };
  beginMaintenance(parts, domains, opened, problems);
  const graphql = graphqlHandler(parts, workspaces, apiServices(parts, domains));
  domains.requests.over = () => graphql.over();
  domains.requests.leave = (name) => {
    domains.engine.workers.end(name);
    return graphql.leave(name, config.drainTimeoutMs);
  };
  opened.push(parts.signIn.onTried((tried) => domains.audit.note(SYSTEM_PARTITION, tried)));
  opened.push(parts.sessions.onEnd((sessionId) => graphql.endSession(sessionId)));
  opened.push(parts.principals.onChange(() => graphql.lookAgain()));
  opened.push(parts.principals.onChange(() => domains.eip.lookAgain()));
  opened.push(parts.tokens.onEnd(() => graphql.lookAgain()));
  const away = (name: string) => workspaceAway(store.find(SYSTEM_PARTITION).replica.read(), name);
  return {
    graphql,
    engineRest: restHandler(parts, domains, workspaces, away),
    routes: fileParts(parts, { ...domains, workspaces, away }),
    routeRequests: requestsOfRoutes(parts, domains, workspaces, away),
    unready: () => readiness.check(),
    warnings: () => readiness.warnings(),
    denied: (req) => void noteDenied(parts, domains.audit, req),
    losses: store.integrity.losses.map(({ message }) => message),
    failures: failed().map(({ name, actor }) => `workspace '${name}': ${actor.context.message}`),
    drain: async () => {
      domains.engine.workers.end();
      graphql.close();
      await store.longJobs.drain(config.drainTimeoutMs);
    },
  };
}

/** How much of the memory of routes bodies of requests may take: a quarter. */
const BODIES_PER_MB = 250_000;

/** Requests for routes lead to the workspace that they name. */
function requestsOfRoutes(
  parts: WireParts,
  { audit, eip, engines }: Wired,
  workspaces: Workspaces,
  away: (name: string) => ServiceError,
): RequestHandler {
  const { config, signIn, baseUrl } = parts;
  return routeRequests({
    ...{ signIn, hasPasswords: config.localSignIn === 'on', proxyHops: config.proxyHops },
    trusted: { baseUrl, allowedOrigins: new Set(config.allowedOrigins) },
    bytesMax: config.routeRequestBytes,
    bodyMax: config.routeBodyBytes,
    requestsMax: config.routeRequests,
    bodiesMax: config.routeMemoryMb * BODIES_PER_MB,
    denied: (req) => void noteDenied(parts, audit, req),
    workspace: (name) => {
      const partition = workspaces.get(name)?.id;
      if (partition === undefined) throw away(name);
      if (!engines.isRunning(partition, 'eip'))
        throw unavailable(`expected the workspace '${name}' to run routes, but it does not`, { reason: 'eip_off' });
      return {
        partition,
        served: eip.served(partition),
        resting: (method, names) => eip.resting(partition, method, names),
      };
    },
  });
}

/** Who was refused a file or the like, and which. What keeps this from being known is no matter of the request. */
async function noteDenied({ config, signIn }: WireParts, audit: Audit, req: IncomingMessage): Promise<void> {
  const { userId = 'anonymous' } = (await signIn.authenticate(req).catch(() => undefined)) ?? {};
  audit.note(SYSTEM_PARTITION, {
    ...{ userId, type: 'request', targets: [pathOf(req)], outcome: 'FORBIDDEN' },
    address: clientAddress(req, config.proxyHops),
  });
}

const PATH_LENGTH_MAX = 512;
const pathOf = ({ url = '' }: IncomingMessage): string => (url.split('?')[0] ?? '').slice(0, PATH_LENGTH_MAX);

/** What goes on by itself, and what is looked at from outside. */
function beginMaintenance(
  { config, sessions }: WireParts,
  { audit, open, engines, content, eip, reader, store, clock, redis }: Wired,
  opened: Opened,
  problems: () => Promise<readonly Warning[]>,
): void {
  const { dataFolder } = config;
  const collections = allCollections(domainModules);
  const sessionLocks = new SessionLocks({ store, content: content.domain, sessions });
  opened.push(() => sessionLocks.close());
  const recurring = recur([
    ...open.flatMap((domain) => domain.recurring ?? []),
    { name: 'sessions', everyMs: MINUTE_MS, work: () => sessions.sweep() },
    sessionLocks.recurring,
    tellProblems(() => store.find(SYSTEM_PARTITION), problems),
    {
      name: 'old entries of the audit log',
      everyMs: HOUR_MS,
      work: () => inEach(store.partitions, ({ id }) => audit.trim(id)),
    },
    sweepLongJobs(store, { keptMs: config.longJobsKeptMs, now: () => clock.now() }),
    sweepBlobs(content.blobs, {
      dataFolder,
      keptMs: config.blobsKeptMs,
      collections,
      known: () => knownPartitions(store),
    }),
    ...(redis === undefined ? [] : [lookAtRedis(redis)]),
    ...(clock instanceof SteadyClock ? [watchClock(clock)] : []),
  ]);
  opened.push(() => sessions.flush().catch((error: unknown) => log.warn({ err: error }, 'sessions could not be kept')));
  opened.push(() => recurring.close());
  const scrubber = backgroundCheck(config, store, content.blobs);
  opened.push(() => scrubber.close());
  const count = (id: string) => countIn(reader, id, clock.now());
  const counted = () => store.partitions.map(({ id }) => id).filter((id) => engines.isRunning(id, 'bpm'));
  opened.push(
    observeEngine({ partitions: counted, count }),
    observeRoutes(() => eip.counted()),
  );
}

function apiServices(
  { config, principals, identity, sessions, tokens, signIn }: WireParts,
  {
    rights,
    audit,
    histories,
    engine,
    eip,
    engines,
    content,
    reader,
    deployer,
    editor,
    store,
    clock,
    workspaceApi,
    redis,
  }: Wired,
): ApiServices {
  const started = systemClock.now();
  const time = new VirtualTime(clock, () => store.partitions, eip.clocks);
  return {
    reader,
    audit,
    system: () => store.find(SYSTEM_PARTITION),
    workspaces: workspaceApi,
    cluster: () => clusterOf(redis, started),
    principals,
    callerNow: (caller) => rights.of(caller),
    identity: {
      directory: identity.directory,
      hash: (password) => identity.passwords.hash(password),
      knows: (username, password, address) => signIn.knows(username, password, address),
      sessions: {
        get: (id) => sessions.get(id),
        ofUser: (username) => sessions.ofUser(username),
        renew: (session) => signIn.renew(session),
      },
      tokens: {
        newSecret: () => newTokenSecret(),
        limits: () => ({ now: tokens.now(), ageMax: config.apiTokenAgeMaxMs, perUserMax: config.apiTokensPerUserMax }),
        get: (id) => tokens.get(id),
        ofUser: (username) => tokens.ofUser(username),
      },
    },
    engine: engine.domain,
    workers: engine.workers,
    eip: {
      api: eip.domain.api,
      editor,
      read: (question) => eip.domain.services.readRoutes(question),
      settled: (partition, routeIds, ms) => eip.settled(partition, routeIds, ms),
      components: eip.components,
      trials: (partition) => eip.trials(partition),
      counters: (partition) => eip.counters(partition),
      reset: (partition, routeId) => eip.reset(partition, routeId),
      trace: (partition, isOn) => eip.trace(partition, isOn),
    },
    version: packageVersion(),
    history: histories,
    isRunning: (partition, name) => engines.isRunning(partition, name),
    content: content.domain,
    blobs: content.blobs,
    chunks: content.chunks,
    apps: content.apps,
    longJobs: store.longJobs.operations,
    programs: engine.programs,
    deployer,
    now: () => clock.now(),
    answerWaitMs: config.answerWaitMs,
    advanceClock: (change, caller) => time.advance(change, caller),
  };
}

/** For gauges: counts that no caller sees. */
async function countIn(reader: Reader, partition: string, now: number): Promise<EngineGauges> {
  return (await reader.query(partition, engineGauges, { now }, systemCaller(''))).answer;
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
