import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

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
