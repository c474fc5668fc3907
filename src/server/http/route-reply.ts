import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { HttpReply } from '../../eip/index.js';
import { isActive } from '../download/file-headers.js';
import { isServerCookie } from '../session/cookies.js';

interface ReplyRules {
  /** Whoever asks need not say who they are. */
  readonly isOpen: boolean;
}

/** Headers by which browsers would change what they do with the server as a whole. */
const OF_THE_SERVER = new Set([
  ...['alt-svc', 'clear-site-data', 'service-worker-allowed', 'strict-transport-security', 'x-content-type-options'],
  'x-request-id',
]);

/** What a route shows runs in an origin of its own: nothing of it acts for whoever looks at it. */
const SHOWN = 'sandbox allow-downloads allow-forms allow-popups allow-scripts';

/** Sends the answer of a route. Resolves when it has gone out, or the client has gone. */
export async function sendReply(
  res: ServerResponse,
  { status, headers, body }: HttpReply,
  rules: ReplyRules,
): Promise<void> {
  if (res.headersSent || res.destroyed) return leave(body);
  res.statusCode = status;
  setHeaders(res, headers, rules);
  if (body === null || status === 204 || status === 304 || (isStream(body) && res.req.method === 'HEAD')) {
    res.end();
    return leave(body);
  }
  if (isStream(body)) return sendStream(res, body);
  res.setHeader('Content-Length', typeof body === 'string' ? Buffer.byteLength(body) : body.length);
  res.end(body);
}

function setHeaders(res: ServerResponse, headers: HttpReply['headers'], rules: ReplyRules): void {
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (OF_THE_SERVER.has(lower) || (lower === 'set-cookie' && isServerCookie(value))) continue;
    if (FIRST.has(lower)) res.setHeader(name, value);
    else res.appendHeader(name, value);
  }
  const type = res.getHeader('content-type');
  if (type === undefined || isActive(String(type))) res.appendHeader('Content-Security-Policy', SHOWN);
  if (!rules.isOpen && !res.hasHeader('cache-control')) res.setHeader('Cache-Control', 'no-store');
}

/** Of which there is one; the server's own is replaced. */
const FIRST = new Set(['content-type', 'cache-control', 'location', 'referrer-policy', 'x-frame-options', 'etag']);

/** Waits where the client does not take it as fast as it comes. */
async function sendStream(res: ServerResponse, body: AsyncIterable<Uint8Array>): Promise<void> {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  try {
    for await (const piece of body) {
      if (res.destroyed) return;
      if (!res.write(piece)) await once(res, 'drain', { signal: gone.signal });
    }
    res.end();
  } catch {
    // What has gone out cannot be taken back: that it breaks off is told by the connection.
    res.destroy();
  }
}

/** Nobody takes it. */
async function leave(body: HttpReply['body']): Promise<void> {
  if (!isStream(body)) return;
  const pieces = body[Symbol.asyncIterator]();
  // One that has not begun would not notice that it ends.
  await pieces.next().catch(() => {});
  await pieces.return?.();
}

const isStream = (body: HttpReply['body']): body is AsyncIterable<Uint8Array> =>
  body !== null && typeof body !== 'string' && !(body instanceof Uint8Array);
