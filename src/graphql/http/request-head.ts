import type { IncomingMessage } from 'node:http';
import { crossSite, malformed, methodNotAllowed, TransportError } from './transport-error.js';

/** The target of a request, by its URL. */
export interface RequestTarget {
  readonly workspace: string;
  /** Whether it is the path of the workspace's event streams. */
  readonly stream: boolean;
  readonly search: URLSearchParams;
}

const NO_SEARCH = new URLSearchParams();

/** Reads `<mount>/<workspace>[/…][/stream][?…]`; segments between are ignored. @throws TransportError 404 outside of the mount, 400 */
export function readTarget(url: string, mount: string): RequestTarget {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  if (path !== mount && !path.startsWith(`${mount}/`)) {
    throw new TransportError(404, 'NOT_FOUND', `expected a path below ${mount}`);
  }
  const [first, ...rest] = path
    .slice(mount.length + 1)
    .split('/')
    .filter((segment) => segment !== '');
  if (first === undefined) throw malformed(`expected a workspace in the path, as ${mount}/<workspace>`);
  return {
    workspace: decoded(first),
    stream: rest.at(-1) === 'stream',
    search: mark < 0 ? NO_SEARCH : new URLSearchParams(url.slice(mark + 1)),
  };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw malformed('expected the workspace in the path to be percent-encoded UTF-8');
  }
}

/** The media types of a GraphQL response that is one JSON document. */
export type JsonMediaType = 'application/json' | 'application/graphql-response+json';

/** The media types that a client takes. */
export interface Acceptable {
  /** The JSON type that it likes best, null when it takes none. */
  readonly json: JsonMediaType | null;
  readonly eventStream: boolean;
}

const ANYTHING: Acceptable = { json: 'application/json', eventStream: false };
const known = new Map<string, Acceptable>();
const KNOWN_MAX = 200;

/** Reads `Accept` (RFC 9110 §12.5.1). Without one, and for a bare wildcard, it is application/json. An event stream must be named. */
export function acceptable(accept: string | undefined): Acceptable {
  if (accept === undefined || accept === '' || accept === '*/*') return ANYTHING;
  const before = known.get(accept);
  if (before !== undefined) return before;
  const read = readAccept(accept);
  if (known.size < KNOWN_MAX) known.set(accept, read);
  return read;
}

interface Range {
  readonly type: string;
  readonly q: number;
}

function readAccept(accept: string): Acceptable {
  const ranges = accept
    .split(',')
    .map(readRange)
    .filter(({ type }) => type !== '');
  const quality = (type: string): number =>
    (
      ranges.find((range) => range.type === type) ??
      ranges.find((range) => range.type === `${type.split('/')[0]}/*`) ??
      ranges.find((range) => range.type === '*/*')
    )?.q ?? 0;
  const place = (type: string) => ranges.findIndex((range) => range.type === type);
  const plain = quality('application/json');
  const response = quality('application/graphql-response+json');
  const places = [place('application/graphql-response+json'), place('application/json')] as const;
  const isResponseFirst = places[0] >= 0 && (places[1] < 0 || places[0] < places[1]);
  const likesResponse = response > plain || (response === plain && isResponseFirst);
  const best = likesResponse ? 'application/graphql-response+json' : 'application/json';
  return {
    json: plain === 0 && response === 0 ? null : best,
    eventStream: (ranges.find(({ type }) => type === 'text/event-stream')?.q ?? 0) > 0,
  };
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  const q = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
  const isOther = charset !== undefined && !/^charset="?utf-?8"?$/.test(charset);
  return { type, q: isOther || !(q >= 0) ? 0 : Math.min(q, 1) };
}

/** Whether a `Content-Type` is JSON in UTF-8: the only one whose cross-site use asks the browser for a preflight. */
export function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  if (contentType === undefined) return false;
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  return (
    type === 'application/json' &&
    parameters.every((parameter) => !parameter.startsWith('charset=') || /^charset="?utf-?8"?$/.test(parameter))
  );
}

/**
 * Refuses what another site makes a browser send with the caller's cookie. `Origin` decides where there is one: it must be this host, encrypted where
 * `baseUrl` is, or one that is allowed; else `Sec-Fetch-Site`. A client that is no browser sends neither. Returns the headers that let an allowed origin read the answer.
 * @throws TransportError 403
 */
export function refuseCrossSite(
  request: IncomingMessage,
  allowed: ReadonlySet<string>,
  baseUrl: string,
): Record<string, string> {
  const { origin, host } = request.headers;
  if (origin !== undefined) {
    if (allowed.has(origin)) return sharedWith(origin);
    const from = isUnencrypted(origin, baseUrl) ? undefined : hostOf(origin);
    if (from === undefined || from !== host?.toLowerCase()) throw crossSite(`origin '${origin}'`);
    return {};
  }
  const site = request.headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site') throw crossSite('another site');
  return {};
}

/** Whether a page of that origin is one that anybody on the way may have written: it came by http, of a server that is reached by https. */
export const isUnencrypted = (origin: string, baseUrl: string): boolean =>
  baseUrl.startsWith('https:') && origin === baseUrl.replace('https:', 'http:');

/** The answer to a preflight from an allowed origin: it may send whatever headers it asks for, as the server's own pages may. */
export function preflightHeaders({ headers }: IncomingMessage): Record<string, string> {
  const wanted = headers['access-control-request-headers'];
  const isLocal = headers['access-control-request-private-network'] === 'true';
  return {
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
    ...(wanted !== undefined && { 'access-control-allow-headers': wanted }),
    // Asked for a page of a public site, of a server in a network that is not.
    ...(isLocal && { 'access-control-allow-private-network': 'true' }),
    'access-control-max-age': '600',
  };
}

/** The headers that let a page of the origin read the answer. */
export const sharedWith = (origin: string): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': 'content-disposition, etag, retry-after, x-request-id',
  vary: 'origin',
});

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** The header that carries the token of an event stream, beside the parameter `token`. */
export const TOKEN_HEADER = 'x-graphql-event-stream-token';

/**
 * Whether a request is a call of single connection mode (graphql-sse, PROTOCOL.md). At the path of the event streams it is, unless it brings
 * its operation along and takes the events as the answer. At the endpoint, which serves plain requests too, it is one by what it carries: a
 * PUT has no body, the other methods have a token, and the GET asks for events.
 */
export function isStreamCall(request: IncomingMessage, target: RequestTarget, accepts: Acceptable): boolean {
  if (target.stream) return !isDistinct(request, target.search, accepts);
  switch (request.method) {
    case 'PUT':
      return !hasBody(request);
    case 'GET':
      return accepts.eventStream && namesToken(request, target.search);
    default:
      return namesToken(request, target.search);
  }
}

const OF_STREAMS = ['GET', 'POST', 'PUT', 'DELETE'];

/** Lets pass the methods of GraphQL over HTTP, and those of event streams where they are calls of one. @throws TransportError 405 */
export function refuseMethod(request: IncomingMessage, target: RequestTarget): void {
  const { method = '' } = request;
  if (target.stream) {
    if (!OF_STREAMS.includes(method)) throw methodNotAllowed(method, OF_STREAMS.join(', '));
    return;
  }
  const found = unfitForEndpoint(request, target.search);
  if (found !== undefined) throw notAtEndpoint(found);
}

function unfitForEndpoint(request: IncomingMessage, search: URLSearchParams): string | undefined {
  switch (request.method) {
    case 'GET':
    case 'POST':
      return undefined;
    case 'PUT':
      return hasBody(request) ? 'a PUT with a body' : undefined;
    case 'DELETE':
      return namesToken(request, search) ? undefined : 'a DELETE without a token';
    default:
      return request.method;
  }
}

/** Distinct connections mode, at the path of the event streams. */
function isDistinct(request: IncomingMessage, search: URLSearchParams, { eventStream }: Acceptable): boolean {
  const bringsOperation = request.method === 'POST' || (request.method === 'GET' && search.has('query'));
  return eventStream && bringsOperation && !namesToken(request, search);
}

const namesToken = (request: IncomingMessage, search: URLSearchParams): boolean =>
  search.has('token') || request.headers[TOKEN_HEADER] !== undefined;

/** RFC 9112 §6: either header says that there is one. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Allow names what GraphQL itself takes: the other two are allowed by what they carry. */
const notAtEndpoint = (found: string) =>
  methodNotAllowed(
    found,
    'GET, POST',
    'GET, POST, a PUT without a body (reserves an event stream) or a DELETE with the token of one (ends an operation)',
  );

/**
 * The challenge of a 401 (RFC 9110 §11.6.1). Programs are told that they may sign in by HTTP Basic: Java's Authenticator, for one, is asked only then. Browsers
 * are not, as they would open a dialog of their own over the page that sent the request; nor is anybody at the paths of sign-in, which take no Basic. Who brought
 * a token hears that it is that (RFC 6750 §3). `hasPasswords`: whether there is a sign-in by password.
 */
export function challengeOf({ url = '', headers }: IncomingMessage, hasPasswords = true): string {
  if (/^bearer\b/i.test(headers.authorization ?? '')) return 'Bearer realm="millrace", error="invalid_token"';
  if (SIGN_IN.test(url) || isBrowser(headers)) return 'Cookie realm="millrace"';
  return hasPasswords ? 'Basic realm="millrace", charset="UTF-8"' : 'Bearer realm="millrace"';
}

const SIGN_IN = /^\/(auth|idp|bin\/auth\.cgi)(\/|$)/;

/** By what browsers send by themselves: `Sec-Fetch-*` over https, `Origin`, a name that begins as all of theirs do; and by what scripts of pages add. */
const isBrowser = (headers: IncomingMessage['headers']): boolean =>
  ['sec-fetch-mode', 'sec-fetch-site', 'origin', 'x-requested-with'].some((name) => headers[name] !== undefined) ||
  headers['user-agent']?.startsWith('Mozilla/') === true ||
  headers.accept?.includes('text/html') === true;

/** Whether the operation is answered as an event stream: a subscription always is, another where no JSON is accepted. @throws TransportError */
export function isStreamed(method: string | undefined, type: string, accepts: Acceptable): boolean {
  if (method === 'GET' && type === 'mutation') throw methodNotAllowed('a mutation by GET', 'POST');
  if (type === 'subscription' && !accepts.eventStream) throw subscriptionNeedsStream();
  return accepts.eventStream && (accepts.json === null || type === 'subscription');
}

/** Where the client stands: what it read last, and which event it saw last. */
export function placesOf(request: IncomingMessage, search: URLSearchParams): { atLeast?: string; after?: string } {
  const atLeast = request.headers['millrace-position'];
  const after = request.headers['last-event-id'] ?? search.get('lastEventId');
  return {
    ...(typeof atLeast === 'string' && atLeast !== '' && { atLeast }),
    ...(typeof after === 'string' && after !== '' && { after }),
  };
}

const subscriptionNeedsStream = () =>
  new TransportError(
    400,
    'BAD_REQUEST',
    'expected a subscription to be asked for as an event stream: send Accept: text/event-stream, or use single connection mode',
  );
