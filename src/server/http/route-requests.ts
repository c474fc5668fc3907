import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpMount, HttpRequest, MountTable } from '../../eip/index.js';
import { challengeOf } from '../../graphql/index.js';
import type { Access } from '../../shared/caller.js';
import { ServiceError, unavailable } from '../../shared/errors.js';
import { requireScope } from '../../shared/scope.js';
import { type Place, placeOf } from '../download/request-path.js';
import { isServerCookie } from '../session/cookies.js';
import type { SignIn } from '../session/sign-in.js';
import type { RequestHandler } from './front.js';
import { replyError, replyNotAllowed } from './reply.js';
import { clientAddress, refuseForeign, type TrustedPages } from './request-origin.js';
import { RouteLoads } from './route-load.js';
import { sendReply } from './route-reply.js';
import { letPass, requestBody } from './route-request-body.js';

/** The routes of a workspace, as far as they serve requests. */
export interface ServedRoutes {
  /** Id of the workspace's partition. */
  readonly partition: string;
  /** What runs. */
  readonly served: MountTable<HttpMount>;
  /** Why nobody serves a path now that a route would serve if it ran; undefined: there is none. `isOpen`: to everybody. */
  resting(method: string, names: readonly string[]): { readonly routeId: string; readonly isOpen: boolean } | undefined;
}

export interface RouteRequestParts {
  readonly signIn: Pick<SignIn, 'authenticate'>;
  readonly hasPasswords: boolean;
  readonly trusted: TrustedPages;
  readonly proxyHops: number;
  /** @throws NOT_FOUND, UNAVAILABLE where it takes no requests */
  readonly workspace: (name: string) => ServedRoutes;
  /** How large a request may be, and how much of it a route may read into memory. */
  readonly bytesMax: number;
  readonly bodyMax: number;
  /** How many requests of one workspace may be under way, and how much routes may read of them into memory. */
  readonly requestsMax: number;
  readonly bodiesMax: number;
  /** Told of a request that was refused as FORBIDDEN. */
  readonly denied: (req: IncomingMessage) => void;
}

/** A path without anything to be decoded or refused, as nearly all are. */
const PLAIN = /^(\/[\w-][\w.-]{0,99}){2,20}$/;

function plainPlace(path: string): Pick<Place, 'workspace' | 'segments'> {
  const [workspace = '', ...segments] = path.slice(1).split('/');
  return { workspace, segments };
}

/** Who asks: null where nobody needs to know. */
type Asking = Awaited<ReturnType<SignIn['authenticate']>> | null;

const ROOT = '/routes';

/** Takes requests for routes: `/routes/<workspace>/…`. */
export function routeRequests(parts: RouteRequestParts): RequestHandler {
  const loads = new RouteLoads({ requestsMax: parts.requestsMax, bytesMax: parts.bodiesMax });
  return (req, res) => {
    serve(parts, loads, req, res).catch((thrown: unknown) => {
      const { code } = thrown instanceof ServiceError ? thrown : {};
      if (code === 'FORBIDDEN') parts.denied(req);
      if (code === 'UNAUTHORIZED') res.setHeader('WWW-Authenticate', challengeOf(req, parts.hasPasswords));
      replyError(res, thrown);
    });
  };
}

async function serve(
  parts: RouteRequestParts,
  loads: RouteLoads,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { url = '', method = '' } = req;
  const mark = url.indexOf('?');
  const path = (mark < 0 ? url : url.slice(0, mark)).slice(ROOT.length);
  const { name, found } = doorOf(parts, method, path);
  const asking = await whoAsks(parts, req, found.isOpen);
  if ('refusal' in found) throw found.refusal;
  const { routes } = found;
  if (asking !== null && asking !== undefined)
    requireScope(
      { ...asking, workspace: name, cause: {} },
      { access: accessOf(method), workspace: routes.partition, domain: 'EIP' },
    );
  if ('allowed' in found) return replyAllowed(res, method, found.allowed);
  const counted = loads.begin(routes.partition);
  if (counted === undefined) throw busy();
  try {
    const body = await requestBody(req, res, parts.bytesMax);
    if (isLarge(body) && !counted.hasRoomFor(weightOf(req, parts))) throw busy();
    const below = path.indexOf('/', 1);
    const reply = await found.mount.serve({
      method,
      path: below < 0 ? '/' : path.slice(below),
      query: mark < 0 ? null : url.slice(mark + 1),
      url: `${originOf(parts, req)}${url}`,
      parameters: found.parameters,
      headers: headersOf(req, !found.isOpen),
      userId: asking?.userId ?? null,
      remoteAddress: clientAddress(req, parts.proxyHops),
      body,
    });
    await sendReply(res, reply, found);
  } finally {
    letPass(req);
    counted.end();
  }
}

const isLarge = (body: HttpRequest['body']): boolean => body !== null && !(body instanceof Uint8Array);

/** How much of a body a route may read into memory. */
const weightOf = ({ headers }: IncomingMessage, { bodyMax }: RouteRequestParts): number =>
  Math.min(Number(headers['content-length'] ?? bodyMax), bodyMax);

type Door =
  | { readonly isOpen: boolean; readonly refusal: ServiceError }
  | { readonly isOpen: boolean; readonly routes: ServedRoutes; readonly allowed: readonly string[] }
  | {
      readonly isOpen: boolean;
      readonly routes: ServedRoutes;
      readonly mount: HttpMount;
      readonly parameters: Readonly<Record<string, string>>;
    };

function doorOf(
  parts: RouteRequestParts,
  method: string,
  path: string,
): { readonly name: string; readonly found: Door } {
  try {
    const { workspace: name, segments } = PLAIN.test(path) ? plainPlace(path) : placeOf(path);
    return { name, found: findIn(parts, name, method, segments) };
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    return { name: '', found: { isOpen: false, refusal: thrown } };
  }
}

/** What a request leads to. What it is refused with is told to those alone who may know. @throws NOT_FOUND, UNAVAILABLE, to be told so, too */
function findIn({ workspace }: RouteRequestParts, name: string, method: string, names: readonly string[]): Door {
  const routes = workspace(name);
  const found = routes.served.find(method, names);
  if (found !== undefined && 'mount' in found) return { ...found, routes, isOpen: found.mount.isOpen };
  const resting = routes.resting(method, names);
  if (resting !== undefined) return { isOpen: resting.isOpen, refusal: notServed(resting.routeId) };
  if (found !== undefined) return { ...found, routes };
  return { isOpen: false, refusal: nothingThere(names) };
}

/** @throws UNAUTHORIZED where nobody is signed in, FORBIDDEN where another site made a browser send it */
async function whoAsks({ signIn, trusted }: RouteRequestParts, req: IncomingMessage, isOpen: boolean): Promise<Asking> {
  if (isOpen) return null;
  const identity = await signIn.authenticate(req);
  if (identity === undefined)
    throw new ServiceError('UNAUTHORIZED', 'expected a caller who is signed in', { reason: 'not_signed_in' });
  if (identity.sessionId !== null) refuseForeign(req, trusted);
  if (req.headers['service-worker'] !== undefined)
    throw new ServiceError('FORBIDDEN', 'expected no service worker, but a browser asks for one', {
      reason: 'service_worker',
    });
  return identity;
}

const accessOf = (method: string): Access => (/^(GET|HEAD|OPTIONS)$/.test(method) ? 'READ' : 'WRITE');

function replyAllowed(res: ServerResponse, method: string, allowed: readonly string[]): void {
  if (method !== 'OPTIONS') return replyNotAllowed(res, allowed.join(', '));
  res.writeHead(204, { Allow: allowed.join(', ') }).end();
}

/** As the client wrote it, but for who it is: what shows that is for the server, not for routes and those whom these call. */
function headersOf({ rawHeaders }: IncomingMessage, isSignedIn: boolean) {
  const headers: [name: string, value: string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]];
    const lower = name.toLowerCase();
    if (lower === 'authorization' && isSignedIn) continue;
    const left = lower === 'cookie' ? withoutOwn(value) : value;
    if (lower !== 'cookie' || left !== '') headers.push([name, left]);
  }
  return headers;
}

const withoutOwn = (header: string): string =>
  header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => !isServerCookie(pair))
    .join('; ');

const originOf = ({ trusted }: RouteRequestParts, { headers }: IncomingMessage): string =>
  `${trusted.baseUrl.startsWith('https:') ? 'https' : 'http'}://${headers.host ?? new URL(trusted.baseUrl).host}`;

const notServed = (routeId: string) =>
  unavailable(`expected the route '${routeId}' to run, but it does not`, {
    reason: 'route_not_started',
    resourceId: routeId,
    details: { retryAfterSeconds: 1 },
  });

const nothingThere = (names: readonly string[]) =>
  new ServiceError('NOT_FOUND', `expected a path that a route serves, but none serves '/${names.join('/')}'`, {
    reason: 'route_not_found',
  });

const busy = () =>
  unavailable('expected fewer requests for routes to be under way; ask again later', {
    reason: 'too_many_requests',
    details: { retryAfterSeconds: 1 },
  });
