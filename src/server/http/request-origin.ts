import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { isUnencrypted } from '../../graphql/index.js';
import { badRequest, ServiceError } from '../../shared/errors.js';
import { replyError } from './reply.js';

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
  return origin !== undefined && (isUnencrypted(origin, baseUrl) || !isOwnOrigin(origin, req, baseUrl));
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

/** The second address of the server, at which there is content and nothing else: where pages of users are among themselves. */
export class ContentOrigin {
  readonly #host: string | undefined;

  /** `origin`: as it is set; undefined: there is none. */
  constructor(origin: string | undefined) {
    this.#host = origin === undefined ? undefined : new URL(origin).host;
  }

  /** Whether the request came there. */
  has({ headers }: IncomingMessage): boolean {
    return this.#host !== undefined && headers.host?.toLowerCase() === this.#host;
  }

  /** Answers what asks there for anything but content; tells whether it did. */
  refuses(req: IncomingMessage, res: ServerResponse): boolean {
    if (!this.has(req)) return false;
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.setHeader('Allow', 'GET, HEAD');
      const message = `expected GET or HEAD at the address of content, but found ${req.method}`;
      replyError(res, badRequest(message, { reason: 'method_not_allowed' }), 405);
      return true;
    }
    if (req.url?.startsWith('/bin/cms.cgi/') === true) return false;
    const message = 'expected a path below /bin/cms.cgi/: at this address there is content and nothing else';
    replyError(res, new ServiceError('NOT_FOUND', message, { reason: 'content_origin' }));
    return true;
  }
}

/**
 * The address of the client. Behind `hops` proxies it is what the outermost of them saw: each proxy adds one entry at the end of
 * `X-Forwarded-For`, and what stands before those entries is the client's own claim.
 */
export function clientAddress(req: IncomingMessage, hops: number): string {
  const seen = plain(req.socket.remoteAddress ?? 'unknown');
  if (hops === 0) return seen;
  const forwarded = [req.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const claimed = plain(forwarded.at(-hops)?.trim() ?? '');
  return isIP(claimed) === 0 ? seen : claimed;
}

/** An IPv4 address that came over an IPv6 socket is the IPv4 address. */
const plain = (address: string) => (address.startsWith(':') ? address.replace(/^::ffff:(?=\d+\.)/i, '') : address);
