import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../shared/errors.js';

/** Pages that may act for whoever looks at them. */
export interface TrustedPages {
  /** How clients reach the server. */
  readonly baseUrl: string;
  /** Of other sites. */
  readonly allowedOrigins: ReadonlySet<string>;
}

/**
 * Whether a request may be one that another site made a browser send. Programs that send neither `Origin` nor `Sec-Fetch-Site` carry no
 * cookies of a person, so theirs are not.
 */
export function isForeign(req: IncomingMessage, { baseUrl, allowedOrigins }: TrustedPages): boolean {
  if (allowedOrigins.has(req.headers.origin ?? '')) return false;
  const site = req.headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site') return true;
  const { origin } = req.headers;
  return origin !== undefined && !isOwnOrigin(origin, req, baseUrl);
}

/** @throws FORBIDDEN when another site may have made a browser send the request */
export function refuseForeign(req: IncomingMessage, trusted: TrustedPages): void {
  if (!isForeign(req, trusted)) return;
  throw new ServiceError('FORBIDDEN', 'expected a request from this site, but another site sent it', {
    reason: 'foreign_origin',
  });
}

/**
 * Where to go after sign-in or sign-out: path, query and fragment of the wanted URL when it is one of this server's own, else undefined.
 * Never an absolute URL, so it cannot lead anywhere else.
 */
export function ownPath(wanted: string, req: IncomingMessage, baseUrl: string): string | undefined {
  if (!URL.canParse(wanted, baseUrl)) return undefined;
  const url = new URL(wanted, baseUrl);
  if (!isOwnOrigin(url.origin, req, baseUrl)) return undefined;
  return `/${url.pathname.replace(/^\/+/, '')}${url.search}${url.hash}`; // '//host' would be a URL of its own
}

function isOwnOrigin(origin: string, req: IncomingMessage, baseUrl: string): boolean {
  if (origin === baseUrl) return true;
  return (
    URL.canParse(origin) && /^https?:$/.test(new URL(origin).protocol) && new URL(origin).host === req.headers.host
  );
}
