import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import type { FileSource } from './file-access.js';
import { fileHeaders, type Headers, type Showing } from './file-headers.js';

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

/** Outcome of the preconditions of a GET or HEAD (RFC 9110 §13.2.2). */
type Precondition = 'proceed' | 'not modified' | 'failed';

/** What tells one state of a file from another. */
interface Validators {
  /** In quotes: a strong validator (RFC 9110 §8.8.3). */
  readonly etag: string;
  /** ms */
  readonly lastModified: number;
}

/** Evaluates preconditions in their order of precedence (RFC 9110 §13.2.2); dates that are none count as not given (§13.1.3, §13.1.4). */
export function precondition(headers: IncomingHttpHeaders, file: Validators): Precondition {
  const unmodifiedSince = dateOf(headers['if-unmodified-since']);
  if (headers['if-match'] !== undefined) {
    if (!lists(headers['if-match'], file, 'strong')) return 'failed';
  } else if (unmodifiedSince !== undefined && seconds(file) > unmodifiedSince) return 'failed';

  const modifiedSince = dateOf(headers['if-modified-since']);
  if (headers['if-none-match'] !== undefined) {
    if (lists(headers['if-none-match'], file, 'weak')) return 'not modified';
  } else if (modifiedSince !== undefined && seconds(file) <= modifiedSince) return 'not modified';
  return 'proceed';
}

/** Whether a `Range` counts: always without `If-Range`, else when the file is still the one that it names (RFC 9110 §13.1.5). */
export function rangeCounts(headers: IncomingHttpHeaders, file: Validators): boolean {
  const given = headers['if-range'];
  if (typeof given !== 'string') return true;
  if (/^(W\/)?"/.test(given)) return given === file.etag;
  return dateOf(given) === seconds(file);
}

/** Whether the list of entity tags, or `*`, names the file's (RFC 9110 §8.8.3.2). A strong comparison knows no weak tags. */
function lists(list: string, { etag }: Validators, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true;
  const tags = list.match(/(W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? [];
  return tags.some((tag) => (comparison === 'weak' ? tag.replace(/^W\//, '') : tag) === etag);
}

/** HTTP knows whole seconds. */
const seconds = ({ lastModified }: Validators): number => Math.floor(lastModified / 1_000);

/** An HTTP date (RFC 9110 §5.6.7) in seconds. */
function dateOf(given: string | undefined): number | undefined {
  if (given === undefined || !/^[A-Z][a-z]{2,8},? /.test(given)) return undefined;
  const parsed = Date.parse(given);
  return Number.isNaN(parsed) ? undefined : Math.floor(parsed / 1_000);
}

/** The part that is wanted, ends included. */
interface WantedRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Which part of `size` bytes the header `Range` asks for (RFC 9110 §14.2). `whole`: no header, another unit, or several ranges, which a server
 * may answer with everything. `unsatisfiable`: none of it is there, or it is no range of bytes.
 */
export function wantedRange(header: string | undefined, size: number): WantedRange | 'whole' | 'unsatisfiable' {
  const [, specifier] = /^bytes=(.*)$/i.exec(header?.trim() ?? '') ?? [];
  if (specifier === undefined || specifier.includes(',')) return 'whole';
  const [, first, last] = /^\s*(\d{0,16})-(\d{0,16})\s*$/.exec(specifier) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'unsatisfiable';
  const range =
    first === ''
      ? { start: Math.max(0, size - Number(last)), end: size - 1 }
      : { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
  return range.start <= range.end ? range : 'unsatisfiable';
}
