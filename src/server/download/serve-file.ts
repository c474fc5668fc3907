import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import { fileHeaders, type Headers, type Showing } from './file-headers.js';
import type { FileSource } from './file-source.js';
import { precondition, rangeCounts } from './precondition.js';
import { type WantedRange, wantedRange } from './wanted-range.js';

/** How long a client may take nothing, ms; then its connection goes. */
const STALL_MS = 60_000;

/**
 * Answers a GET or HEAD with a file by RFC 9110: preconditions, then one range of bytes, then everything. The file is read no faster than the
 * client takes it, and no further once the client is gone.
 * @throws what opening it throws, as long as nothing was sent
 */
export async function serveFile(
  req: IncomingMessage,
  res: ServerResponse,
  file: FileSource,
  showing: Showing,
): Promise<void> {
  const { headers, etag } = fileHeaders(file, showing);
  const validators = { etag, lastModified: file.lastModified };
  const outcome = precondition(req.headers, validators);
  if (outcome === 'failed') return end(res, 412, { ...headers, ...NOTHING_SENT });
  if (outcome === 'not modified') return end(res, 304, headers);
  const isRanged = req.method === 'GET' && rangeCounts(req.headers, validators);
  const range = isRanged ? wantedRange(req.headers.range, file.size) : 'whole';
  if (range === 'unsatisfiable') {
    return end(res, 416, { ...headers, ...NOTHING_SENT, 'Content-Range': `bytes */${file.size}` });
  }
  if (range === 'whole') return send(req, res, { file, headers, status: 200, range: { start: 0, end: file.size - 1 } });
  const part = { 'Content-Range': `bytes ${range.start}-${range.end}/${file.size}` };
  return send(req, res, { file, headers: { ...headers, ...part }, status: 206, range });
}

const NOTHING_SENT: Headers = { 'Content-Length': 0, 'Cache-Control': 'no-store' };

interface Sending {
  readonly file: FileSource;
  readonly status: number;
  readonly headers: Headers;
  readonly range: WantedRange;
}

async function send(req: IncomingMessage, res: ServerResponse, sending: Sending): Promise<void> {
  const { file, status, range } = sending;
  const length = range.end - range.start + 1;
  const headers = { ...sending.headers, 'Content-Length': length };
  if (length === 0) return end(res, status, headers);
  const bytes = file.open(range);
  // A file that cannot be opened is still an answer of its own: to HEAD the same as to GET.
  await opened(bytes, res);
  if (req.method === 'HEAD') {
    bytes.destroy();
    return end(res, status, headers);
  }
  res.writeHead(status, headers);
  res.setTimeout(STALL_MS, () => res.destroy());
  try {
    await pipeline(bytes, res);
  } catch (thrown) {
    // The headers are gone; what is left is to break off, which the pipeline did. Clients that leave are no news.
    if (!hasLeft(thrown)) log.warn({ reason: messageOf(thrown) }, 'a download was broken off');
  }
}

/** Resolves when there are bytes to send, or nobody to send them to. */
async function opened(bytes: Readable, res: ServerResponse): Promise<void> {
  const left = new AbortController();
  const leave = () => left.abort();
  res.once('close', leave);
  try {
    await once(bytes, 'readable', { signal: left.signal });
  } catch (thrown) {
    bytes.destroy();
    if (!left.signal.aborted) throw thrown;
  } finally {
    res.off('close', leave);
  }
}

const LEFT = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_DESTROYED', 'ABORT_ERR']);
const hasLeft = (thrown: unknown): boolean => LEFT.has(String((thrown as { code?: unknown }).code));

function end(res: ServerResponse, status: number, headers: Headers): void {
  res.writeHead(status, headers);
  res.end();
}
