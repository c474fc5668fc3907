import type { IncomingMessage, ServerResponse } from 'node:http';
import { LARGE_BYTES, OVERLOADED } from '../admission/admission.js';
import { formatError, retryAfterSeconds } from '../format-error.js';
import { acceptable, type JsonMediaType } from './media-type.js';

/** Whether all that is to be known of a request to refuse it is in few headers: it is small, asks for no stream, and comes from no page of a browser's. */
export const isPlain = ({ method, url = '', headers }: IncomingMessage): boolean =>
  method === 'POST' &&
  headers.origin === undefined &&
  Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= LARGE_BYTES &&
  !url.endsWith('/stream') &&
  !acceptable(headers.accept).eventStream;

/** 503 with `Retry-After`. */
export function refuseAtDoor({ headers }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, HEADERS[acceptable(headers.accept).json ?? 'application/json']).end(BODY);
}

// Made once: to make it anew for each would cost more than to read the request.
const ERROR = formatError(OVERLOADED, { requestId: '', phase: 'execution' });
const BODY = JSON.stringify({ errors: [ERROR] }); // as text it leaves in one write with the headers
const headersOf = (type: JsonMediaType) => ({
  'content-type': `${type}; charset=UTF-8`,
  'content-length': Buffer.byteLength(BODY),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'retry-after': String(retryAfterSeconds(ERROR)),
});
const HEADERS: Readonly<Record<JsonMediaType, ReturnType<typeof headersOf>>> = {
  'application/json': headersOf('application/json'),
  'application/graphql-response+json': headersOf('application/graphql-response+json'),
};
