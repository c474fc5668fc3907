import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpMount, MountTable } from '../../eip/index.js';
import { challengeOf } from '../../graphql/index.js';
import type { Access } from '../../shared/caller.js';
import { ServiceError, unavailable } from '../../shared/errors.js';
import { requireScope } from '../../shared/scope.js';
import { type Place, placeOf } from '../download/request-path.js';
import type { SessionCookie } from '../session/cookies.js';
import type { SignIn } from '../session/sign-in.js';
import type { RequestHandler } from './front.js';
import { replyError, replyNotAllowed } from './reply.js';
import { clientAddress, refuseForeign, type TrustedPages } from './request-origin.js';
import { sendReply } from './route-reply.js';
import { requestBody } from './route-request-body.js';

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
  readonly cookie: Pick<SessionCookie, 'name' | 'read'>;
  readonly hasPasswords: boolean;
  readonly trusted: TrustedPages;
  readonly proxyHops: number;
  /** @throws NOT_FOUND, UNAVAILABLE where it takes no requests */
  readonly workspace: (name: string) => ServedRoutes;
  /** How large a request may be, and how many of one workspace may be under way. */
  readonly bytesMax: number;
  readonly requestsMax: number;
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
  const underWay = new Map<string, number>();
  return (req, res) => {
    serve(parts, underWay, req, res).catch((thrown: unknown) => {
      const { code } = thrown instanceof ServiceError ? thrown : {};
      if (code === 'FORBIDDEN') parts.denied(req);
      if (code === 'UNAUTHORIZED') res.setHeader('WWW-Authenticate', challengeOf(req, parts.hasPasswords));
      replyError(res, thrown);
    });
  };
}

async function serve(
  parts: RouteRequestParts,
  underWay: Map<string, number>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { url = '', method = '' } = req;
  const mark = url.indexOf('?');
  const path = (mark < 0 ? url : url.slice(0, mark)).slice(ROOT.length);
  const { workspace: name, segments } = PLAIN.test(path) ? plainPlace(path) : placeOf(path);
  const found = findIn(parts, name, method, segments);
  const asking = await whoAsks(parts, req, found.isOpen);
  if ('refusal' in found) throw found.refusal;
  const { routes } = found;
  if (asking !== null && asking !== undefined)
    requireScope(
      { ...asking, workspace: name, cause: {} },
      { access: accessOf(method), workspace: routes.partition, domain: 'EIP' },
    );
  if ('allowed' in found) return replyAllowed(res, method, found.allowed);
  const count = underWay.get(routes.partition) ?? 0;
  if (count >= parts.requestsMax) throw busy();
  underWay.set(routes.partition, count + 1);
  try {
    const body = await requestBody(req, res, parts.bytesMax);
    const reply = await found.mount.serve({
      method,
      path: path.slice(path.indexOf('/', 1)),
      query: mark < 0 ? null : url.slice(mark + 1),
      url: `${originOf(parts, req)}${url}`,
      parameters: found.parameters,
      headers: headersOf(req, parts.cookie.name, !found.isOpen),
      userId: asking?.userId ?? null,
      remoteAddress: clientAddress(req, parts.proxyHops),
      body,
    });
    await sendReply(res, reply, { isOpen: found.isOpen, cookieName: parts.cookie.name });
  } finally {
    underWay.set(routes.partition, (underWay.get(routes.partition) ?? 1) - 1);
  }
}

type Door =
  | { readonly isOpen: boolean; readonly refusal: ServiceError }
  | { readonly isOpen: boolean; readonly routes: ServedRoutes; readonly allowed: readonly string[] }
  | {
      readonly isOpen: boolean;
      readonly routes: ServedRoutes;
      readonly mount: HttpMount;
      readonly parameters: Readonly<Record<string, string>>;
    };

/** What a request leads to. What it is refused with is told to those alone who may know. */
function findIn({ workspace }: RouteRequestParts, name: string, method: string, names: readonly string[]): Door {
  let routes: ServedRoutes;
  try {
    routes = workspace(name);
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    return { isOpen: false, refusal: thrown };
  }
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
function headersOf({ rawHeaders }: IncomingMessage, cookieName: string, isSignedIn: boolean) {
  const headers: [name: string, value: string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]];
    const lower = name.toLowerCase();
    if (lower === 'authorization' && isSignedIn) continue;
    const left = lower === 'cookie' ? withoutCookie(value, cookieName) : value;
    if (lower !== 'cookie' || left !== '') headers.push([name, left]);
  }
  return headers;
}

const withoutCookie = (header: string, cookieName: string): string =>
  header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.split('=', 1)[0] !== cookieName)
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
