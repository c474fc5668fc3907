import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ErrorRequestHandler, Express, Router } from 'express';
import express from 'express';
import { challengeOf, preflightHeaders, sharedWith } from '../../graphql/index.js';
import { ServiceError, unavailable } from '../../shared/errors.js';
import { isCollected } from '../../shared/trace.js';
import { ENGINE_REST, isEngineRest } from '../engine-rest/engine-rest.js';
import { replyRestError } from '../engine-rest/rest-error.js';
import { tracedRequest } from '../telemetry/http-trace.js';
import { LOGIN_STYLE_SOURCE, showStart } from './pages.js';
import { isPublic } from './public-paths.js';
import type { Unready, Warning } from './readiness.js';
import { replyError, replyJson, replyNotAllowed } from './reply.js';
import type { ContentOrigin } from './request-origin.js';

/** Answers a request by itself; it has the header `X-Request-Id` set on the response, and never throws. */
export type RequestHandler = (req: IncomingMessage, res: ServerResponse) => void;

/** How far the server is: it takes calls only when it is ready. */
export type Phase = 'starting' | 'ready' | 'draining';

/** Limits of connections and requests. */
interface FrontLimits {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly headerBytesMax: number;
  readonly connectionsMax: number;
}

/** The domains, as far as the front leads to them. */
export interface FrontDomains {
  /** Takes everything below `/bin/graphql.cgi/` once the server is ready. */
  readonly graphql: RequestHandler;
  /** Takes everything below `/routes/` once the server is ready: requests for routes of workspaces. */
  readonly routeRequests: RequestHandler;
  /** Takes everything at and below `/engine-rest` once the server is ready. */
  readonly engineRest?: RequestHandler;
  /** Further routes: downloads, the console. */
  readonly routes?: Router;
  /** Why changes cannot be made now; undefined when they can. Told within seconds, and never rejected. */
  unready(): Promise<Unready | undefined>;
  /** What is told beside that. Default: nothing. */
  warnings?(): readonly Warning[];
  /** Told of a request that was refused as FORBIDDEN. */
  denied?(req: IncomingMessage): void;
}

/** Parts of the front, and its routes without the domains. */
interface FrontParts {
  /** Whether there is a sign-in by password. */
  readonly hasPasswords: boolean;
  readonly lifecycle: { readonly phase: Phase };
  /** Takes what is not GraphQL and not health, before the domains' routes do. */
  readonly routes: readonly Router[];
  readonly contentOrigin: ContentOrigin;
  /** Whether the request has a session, or brings credentials. @throws UNAUTHORIZED (wrong ones), RATE_LIMITED */
  readonly isSignedIn: (req: IncomingMessage) => Promise<boolean>;
  /** Origins of other sites whose pages may use sign-in, downloads and GraphQL, which looks at them itself once it takes calls. */
  readonly allowedOrigins: ReadonlySet<string>;
  /** Whether clients come by https. */
  readonly secure: boolean;
}

/** The HTTP server, with nobody yet who answers. */
export function httpServer(limits: FrontLimits): Server {
  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    maxHeaderSize: limits.headerBytesMax,
    // How often Node looks for connections that are over their time: its default of 30 s would stretch both limits.
    connectionsCheckingInterval: Math.max(50, Math.min(1000, limits.headersTimeoutMs / 4)),
  });
  server.maxConnections = limits.connectionsMax;
  return server;
}

/** Answers what comes to a server: GraphQL goes straight to its handler, all else through express. */
export class Front {
  readonly #parts: FrontParts;
  readonly #app: Express;
  /** The domains' routes. */
  readonly #later = express.Router();
  #domains: FrontDomains | undefined;

  constructor(server: Server, parts: FrontParts) {
    this.#parts = parts;
    this.#app = application(parts, this.#later, () => this.#domains);
    // An SDK is there before the server, or there is none.
    const handle = isCollected() ? tracedHandler(this.#handle.bind(this)) : this.#handle.bind(this);
    server.on('request', (req: IncomingMessage, res: ServerResponse) => {
      toOriginForm(req);
      handle(req, res, doorOf(req));
    });
  }

  /** From now on it leads to the domains, as soon as the server is ready. */
  open(domains: FrontDomains): void {
    this.#domains = domains;
    if (domains.routes !== undefined) this.#later.use(domains.routes);
  }

  #handle(req: IncomingMessage, res: ServerResponse, door: Door): void {
    const { lifecycle, secure, contentOrigin, allowedOrigins } = this.#parts;
    res.setHeader('X-Request-Id', requestId(req));
    setSecurityHeaders(res, secure);
    if (contentOrigin.refuses(req, res)) return;
    if (door === 'engineRest') this.#engineRest(req, res);
    else if (door === 'express') this.#app(req, res);
    else if (door === 'routeRequests' && answersPreflight(req, res, allowedOrigins)) return;
    else if (lifecycle.phase === 'ready') this.#domains?.[door](req, res);
    else if (!answersPreflight(req, res, allowedOrigins)) refuseCall(res, lifecycle.phase);
  }

  /** Errors are told as Camunda's clients read them, also before the domains are there. */
  #engineRest(req: IncomingMessage, res: ServerResponse): void {
    const { phase } = this.#parts.lifecycle;
    const handle = phase === 'ready' ? this.#domains?.engineRest : undefined;
    if (handle !== undefined) return handle(req, res);
    if (phase === 'draining') res.setHeader('Connection', 'close');
    replyRestError(res, notReady(phase));
  }
}

/** The part of the server that takes a request. */
type Door = 'graphql' | 'routeRequests' | 'engineRest' | 'express';

function doorOf({ url = '' }: IncomingMessage): Door {
  if (url.startsWith(GRAPHQL)) return 'graphql';
  if (isEngineRest(url)) return 'engineRest';
  return url.startsWith(ROUTES) ? 'routeRequests' : 'express';
}

type Handle = (req: IncomingMessage, res: ServerResponse, door: Door) => void;

const tracedHandler =
  (handle: Handle): Handle =>
  (req, res, door) =>
    tracedRequest(req, res, NAMED[door], () => handle(req, res, door));

const GRAPHQL = '/bin/graphql.cgi/';
const ROUTES = '/routes/';

function application(
  { lifecycle, routes, allowedOrigins, isSignedIn, hasPasswords }: FrontParts,
  later: Router,
  domains: () => FrontDomains | undefined,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use((req, res, next) => (answersPreflight(req, res, allowedOrigins) ? undefined : next()));
  app.use(async (req, res, next) => {
    if (isPublic(req.originalUrl)) next();
    else if (lifecycle.phase === 'starting') refuseCall(res, lifecycle.phase);
    else if (await isSignedIn(req)) next();
    else throw notSignedIn();
  });
  app.get('/health/live', (_req, res) => replyJson(res, 200, { status: 'live' }));
  app.get('/health/ready', async (_req, res) => {
    const problem = lifecycle.phase === 'ready' ? await domains()?.unready() : undefined;
    const status = lifecycle.phase; // the drain may have begun meanwhile
    if (status !== 'ready') replyJson(res, 503, { status });
    else if (problem !== undefined) replyJson(res, 503, { status: 'unavailable', ...problem });
    else {
      const warnings = domains()?.warnings?.() ?? [];
      replyJson(res, 200, { status, ...(warnings.length > 0 && { warnings }) });
    }
  });
  app.all('/health/{*check}', (req, res, next) => (isRead(req) ? next() : replyNotAllowed(res, 'GET, HEAD')));
  for (const router of [...routes, later]) app.use(router);
  app.get('/', showStart);
  app.use((req, res) => {
    const path = req.originalUrl.split('?')[0] ?? '';
    replyError(res, new ServiceError('NOT_FOUND', `expected a path of this server, but there is nothing at '${path}'`));
  });
  app.use(failed(hasPasswords, (req) => domains()?.denied?.(req)));
  return app;
}

const notSignedIn = () =>
  new ServiceError('UNAUTHORIZED', 'expected a caller who is signed in', { reason: 'not_signed_in' });

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

/** What express throws of a path that it cannot read has a status; what a route throws is a ServiceError or a bug. */
const failed =
  (hasPasswords: boolean, denied: (req: IncomingMessage) => void): ErrorRequestHandler =>
  (thrown: unknown, req, res, _next) => {
    const { code } = thrown instanceof ServiceError ? thrown : {};
    if (code === 'FORBIDDEN') denied(req);
    if (code === 'UNAUTHORIZED') res.setHeader('WWW-Authenticate', challengeOf(req, hasPasswords));
    const status = (thrown as { status?: unknown }).status;
    if (thrown instanceof ServiceError || typeof status !== 'number' || status >= 500) return replyError(res, thrown);
    const message = 'expected a path that can be read, but it is malformed';
    replyError(res, new ServiceError('BAD_REQUEST', message, { reason: 'unreadable_request' }), status);
  };

function refuseCall(res: ServerResponse, phase: Phase): void {
  if (phase === 'draining') res.setHeader('Connection', 'close');
  replyError(res, notReady(phase));
}

function notReady(phase: Phase): ServiceError {
  const sentence = phase === 'draining' ? 'but it is shutting down' : 'but it is still starting';
  return unavailable(`expected the server to be ready, ${sentence}`, {
    reason: phase,
    details: { retryAfterSeconds: 1 },
  });
}

/**
 * Lets pages of allowed origins read what is answered to sign-in and downloads, and to calls that are not taken yet or any more; tells whether it
 * has answered, as it does what browsers ask before. Websites are no part of it: what they show to anybody is for everybody.
 */
function answersPreflight(req: IncomingMessage, res: ServerResponse, allowed: ReadonlySet<string>): boolean {
  if (allowed.size === 0 || !SHARED.test(req.url ?? '')) return false;
  res.setHeader('Vary', 'origin'); // also of an answer that a cache may keep for a page of an allowed origin
  const { origin = '' } = req.headers;
  if (!allowed.has(origin)) return false;
  for (const [name, value] of Object.entries(sharedWith(origin))) res.setHeader(name, value);
  if (req.method !== 'OPTIONS') return false;
  res.writeHead(204, preflightHeaders(req)).end();
  return true;
}

/** Where pages of allowed origins may read. */
const SHARED = /^\/(auth|health|routes|bin\/(graphql|download[\w-]*)\.cgi)\//;

/** The client's own id of the request where it is a harmless word, else a new one. */
function requestId(req: IncomingMessage): string {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}

/** Reads a target in absolute form (`GET http://host/path`, as proxies are asked) as what it means: the path, of that host, whatever `Host` says (RFC 9112 §3.2.2). */
function toOriginForm(req: IncomingMessage): void {
  if (req.url?.startsWith('/') === true) return;
  const [, authority, target] = /^https?:\/\/(?:[^/?#@]*@)?([^/?#]+)([^#]*)/i.exec(req.url ?? '') ?? [];
  if (authority === undefined || target === undefined) return;
  req.url = target.startsWith('/') ? target : `/${target}`;
  req.headers.host = authority;
}

function graphqlRoute(req: IncomingMessage): string {
  const path = req.url?.split('?')[0] ?? '';
  return path.endsWith('/stream') ? `${GRAPHQL}:workspace/stream` : `${GRAPHQL}:workspace`;
}

/** What requests are called in traces; what express takes is named by it. */
const NAMED: Readonly<Record<Door, ((req: IncomingMessage) => string) | undefined>> = {
  graphql: graphqlRoute,
  routeRequests: () => `${ROUTES}:workspace`,
  engineRest: () => ENGINE_REST,
  express: undefined,
};

/** Sets the headers that keep browsers from doing harm with an answer. A handler may set stricter ones. */
function setSecurityHeaders(res: ServerResponse, secure: boolean): void {
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('X-Frame-Options', 'SAMEORIGIN');
  res.setHeader('Referrer-Policy', 'same-origin');
  res.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  res.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  if (secure) res.setHeader('Strict-Transport-Security', 'max-age=31536000');
}

const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  `style-src 'self' ${LOGIN_STYLE_SOURCE}`,
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
].join('; ');
