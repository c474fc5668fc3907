import type { IncomingMessage, Server } from 'node:http';
import { join } from 'node:path';
import { BodyBudget } from '../graphql/index.js';
import { createPasswords, Directory } from '../identity/index.js';
import { monotonicClock, SteadyClock } from '../shared/clock.js';
import { ServiceError } from '../shared/errors.js';
import { log } from '../shared/log.js';
import { acquireServerLock, requireKinds } from './data-folder.js';
import { graphiqlRoutes } from './graphiql/graphiql-routes.js';
import { Front, type FrontDomains, httpServer } from './http/front.js';
import { docsRoutes } from './http/pages.js';
import { ContentOrigin, clientAddress } from './http/request-origin.js';
import { type Closing, Lifecycle } from './lifecycle.js';
import { SAMPLES_ACCOUNT } from './package-files.js';
import { ExternalUsers } from './provider/external-users.js';
import { openJwt, openProvider } from './provider/open-provider.js';
import { type AdminPassword, adminPassword } from './session/admin-password.js';
import { ApiTokenSignIn, ApiTokens } from './session/api-tokens.js';
import { authRoutes } from './session/auth-routes.js';
import { type SessionCookie, sessionCookie } from './session/cookies.js';
import type { SessionStore } from './session/session-store.js';
import { Sessions } from './session/sessions.js';
import { SignIn } from './session/sign-in.js';
import type { RefuseUnknown, SignInWay } from './session/sign-in-way.js';
import { SystemSessions } from './session/system-sessions.js';
import { baseUrlOf, type Config } from './settings/config.js';
import type { FirstUser, IdentityNeeds } from './wire/domain.js';

/** The domains behind the front, wired together. */
export interface Wire extends FrontDomains {
  /** What was lost before this start, a sentence each. */
  readonly losses: readonly string[];
  /** Workspaces that could not be opened, a sentence each. */
  readonly failures: readonly string[];
  /** Ends event streams, takes no new jobs, and resolves when what is running has finished. */
  drain(): Promise<void>;
  /** Closes stores and threads. Called after the drain. */
  close(): Promise<void>;
}

/** Parts of the server that the domains are wired to. */
export interface WireParts {
  readonly config: Config;
  /** Who there is. */
  readonly principals: Directory;
  /** What identity is opened with. */
  readonly identity: IdentityNeeds;
  /** Finds out who sends a request. */
  readonly signIn: SignIn;
  /** Tells when a session ends. */
  readonly sessions: Sessions;
  /** Tells when a token ends. */
  readonly tokens: ApiTokens;
  /** The bodies of all requests. */
  readonly bodies: BodyBudget;
  /** How clients reach the server. */
  readonly baseUrl: string;
  /** Whether calls are taken yet. */
  readonly isServing: () => boolean;
}

/** Starts the domains; resolves when they can take calls. */
export type MakeWire = (parts: WireParts) => Promise<Wire>;

/** Options of a server beside its settings. */
interface ServerOptions {
  /** Users beside `admin` and `anonymous`. */
  readonly users?: readonly FirstUser[];
  /** The operator's file that holds the administrator's password. */
  readonly adminPasswordFile?: string | undefined;
  /** Closed after everything else but the lock. */
  readonly closings?: readonly Closing[];
}

/** A server that takes calls, until it is ended. */
export interface RunningServer {
  readonly port: number;
  readonly baseUrl: string;
  readonly admin: AdminPassword;
  /** What was lost before this start, a sentence each. */
  readonly losses: readonly string[];
  /** Workspaces that could not be opened, a sentence each. */
  readonly failures: readonly string[];
  /** Drains, closes and gives the data folder back. True when everything could be closed. */
  end(): Promise<boolean>;
}

/**
 * Starts a server on its data folder: it listens at once, and takes calls when the domains are there.
 * @throws CONFLICT when another server uses the data folder or the port
 */
export async function startServer(
  config: Config,
  makeWire: MakeWire,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const lock = acquireServerLock(config.dataFolder);
  const closings: Closing[] = [...(options.closings ?? []), { name: 'lock', close: () => lock.release() }];
  try {
    requireKinds(config.dataFolder);
    return await startLocked(config, makeWire, options, closings);
  } catch (thrown) {
    lock.release();
    throw thrown;
  }
}

async function startLocked(
  config: Config,
  makeWire: MakeWire,
  options: ServerOptions,
  closings: Closing[],
): Promise<RunningServer> {
  const admin = adminPassword(config.dataFolder, { password: config.adminPassword, file: options.adminPasswordFile });
  const cookie = sessionCookie(config.baseUrl ?? 'http:');
  const passwords = createPasswords({ atOnce: config.passwordChecksMax });
  const principals = new Directory(passwords);
  const tokens = new ApiTokens(new SteadyClock());
  const sessionStore = new SystemSessions(tokens);
  const externalUsers = new ExternalUsers(principals, config);
  const sources = { principals, tokens, store: sessionStore, jwt: await openJwt(config, externalUsers) };
  const { sessions, signIn } = openSessions(config, cookie, sources);
  closings.unshift({ name: 'sign-in', close: () => signIn.close() });

  let baseUrl = baseUrlOf(config, config.port);
  const provider = await openProvider(config, { users: externalUsers, signIn, cookie, baseUrl: () => baseUrl });
  let wire: Wire | undefined;
  const { sessionAbsoluteMs, localSignIn } = config;
  const hasPasswords = localSignIn === 'on';
  const bodies = new BodyBudget({ bytesMax: config.bodiesBytesMax, perClientMax: config.bodiesPerClientBytesMax });
  const clientOf = (req: IncomingMessage) => `address:${clientAddress(req, config.proxyHops)}`;
  const body = { bodies, bytesMax: config.signInBodyBytesMax, clientOf };
  const allowedOrigins = new Set(config.allowedOrigins);
  const trusted = () => ({ baseUrl, allowedOrigins });
  const server = httpServer(config);
  const drain = async () => wire?.drain();
  const lifecycle = new Lifecycle({ server, drainTimeoutMs: config.drainTimeoutMs, drain, closings });
  const front = new Front(server, {
    lifecycle,
    routes: [
      authRoutes({ ...{ signIn, cookie, sessionAbsoluteMs, provider }, ...{ hasPasswords, body, trusted } }),
      graphiqlRoutes({ signIn }),
      docsRoutes(),
    ],
    allowedOrigins,
    contentOrigin: new ContentOrigin(config.contentOrigin),
    hasPasswords,
    isSignedIn: async (req) => (await signIn.authenticate(req)) !== undefined,
    secure: config.baseUrl?.startsWith('https:') === true,
  });
  try {
    const port = await listen(server, config.port, config.host);
    baseUrl = baseUrlOf(config, port);
    const made = await makeWire({
      config,
      sessions,
      tokens,
      signIn,
      principals,
      identity: {
        ...{ directory: principals, passwords, sessions: sessionStore, tokens, externalUsers },
        sessionFile: join(config.dataFolder, 'sessions.db'),
        ...{ adminPassword: admin.password, users: [SAMPLES_ACCOUNT, ...(options.users ?? [])] },
      },
      bodies,
      baseUrl,
      isServing: () => lifecycle.phase !== 'starting',
    });
    closings.unshift({ name: 'domains', close: () => made.close() });
    front.open(made);
    wire = made;
    lifecycle.ready();
    return { port, baseUrl, admin, losses: made.losses, failures: made.failures, end: () => lifecycle.end() };
  } catch (thrown) {
    await lifecycle.end();
    throw thrown;
  }
}

interface SignInParts {
  readonly sessions: Sessions;
  readonly signIn: SignIn;
}

/** Services of sign-in: users, sessions, and tokens of each kind. */
interface SignInSources {
  readonly principals: Directory;
  readonly tokens: ApiTokens;
  readonly store: SessionStore;
  readonly jwt: (refuse: RefuseUnknown) => readonly SignInWay[];
}

function openSessions(
  config: Config,
  cookie: SessionCookie,
  { principals, tokens, store, jwt }: SignInSources,
): SignInParts {
  const sessions = new Sessions(store, principals, new SteadyClock(), {
    idleMs: config.sessionIdleMs,
    absoluteMs: config.sessionAbsoluteMs,
    perUserMax: config.sessionsPerUserMax,
  });
  principals.onChange((usernames) => {
    Promise.all(Array.from(usernames, (userId) => sessions.userChanged(userId))).catch((error: unknown) =>
      log.warn({ err: error }, 'sessions that count no longer are removed within a minute'),
    );
  });
  const signIn = new SignIn({
    principals,
    sessions,
    cookie,
    clock: monotonicClock,
    attempts: {
      perAccountMax: config.signInFailuresPerAccountMax,
      perAddressMax: config.signInFailuresPerAddressMax,
      windowMs: config.signInWindowMs,
    },
    basicCacheMs: config.basicCacheMs,
    proxyHops: config.proxyHops,
    bearers: (refuse) => [new ApiTokenSignIn(tokens, refuse), ...jwt(refuse)],
    hasPasswords: config.localSignIn === 'on',
  });
  return { sessions, signIn };
}

/** Listens; resolves with the port. @throws CONFLICT when the address is taken, or not one of this machine's that this user may listen on */
async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, port, host)));
    // As many as the system lets wait: Node takes one in each turn of the event loop, and who finds no room tries again only after a second or more.
    server.listen({ port, host, backlog: 4_096 }, resolve);
  });
  server.on('error', (error) => log.error({ err: error }, 'the HTTP server failed'));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

function explained({ code, message }: NodeJS.ErrnoException, port: number, host: string): Error {
  if (code === 'EADDRINUSE') {
    return new ServiceError(
      'CONFLICT',
      `expected port ${port} of ${host} to be free, but another program listens there; set PORT to another one`,
    );
  }
  return new ServiceError(
    'CONFLICT',
    `expected to listen on port ${port} of ${host}, but: ${message}; set HOST or PORT`,
  );
}
