import type { IncomingMessage } from 'node:http';
import type { Acceptable } from '../http/media-type.js';
import type { RequestTarget } from '../http/request-target.js';
import { methodNotAllowed } from '../http/transport-error.js';

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
