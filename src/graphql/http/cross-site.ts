import type { IncomingMessage } from 'node:http';
import { crossSite } from './transport-error.js';

/**
 * Refuses what another site makes a browser send with the caller's cookie. `Origin` decides where there is one: it must be this host, or one
 * that is allowed; else `Sec-Fetch-Site`. A client that is no browser sends neither. Returns the headers that let an allowed origin read the answer.
 * @throws TransportError 403
 */
export function refuseCrossSite(request: IncomingMessage, allowed: ReadonlySet<string>): Record<string, string> {
  const { origin, host } = request.headers;
  if (origin !== undefined) {
    if (allowed.has(origin)) return sharedWith(origin);
    const from = hostOf(origin);
    if (from === undefined || from !== host?.toLowerCase()) throw crossSite(`origin '${origin}'`);
    return {};
  }
  const site = request.headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site') throw crossSite('another site');
  return {};
}

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
