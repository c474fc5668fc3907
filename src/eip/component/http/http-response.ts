import { pipeline, type Readable } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import { type Exchange, Headers, StreamCache } from '../../../expression/routes.js';
import { comesIn, outlivesAnswer } from './header-filter.js';
import { type ClientReply, type HeaderPair, headerOf } from './http-client.js';
import { bodyFailure, operationFailure } from './http-failure.js';
import type { HttpOptions } from './http-options.js';

/** An answer of which as much as is kept in memory has been read. */
export interface ReadReply extends ClientReply {
  /** Null: it has none. */
  readonly content: Buffer | StreamCache | null;
}

/** Bodies of a known length up to this are bytes, as in Camel; all others are streams. */
const BYTES_MAX = 8192;

/** Reads an answer as far as it is kept in memory; what is longer is a stream. It holds its connection until the exchange is over, or it is read. */
export async function readReply(
  reply: ClientReply,
  method: string,
  options: HttpOptions,
  bodyMax: number,
): Promise<ReadReply> {
  const { status, body, headers } = reply;
  if (options.ignoresBody || method === 'HEAD' || status === 204 || status === 304) {
    body.destroy();
    body.on('error', () => {});
    return { ...reply, content: null };
  }
  const charset = charsetOf(headerOf(headers, 'content-type'));
  const isWanted = options.isOk(status) || !options.throwsOnFailure;
  const pieces = unpacked(reply);
  if (options.isStreamed && isWanted) return { ...reply, content: new StreamCache(pieces, { charset }) };
  const { bytes, rest } = await readUpTo(pieces, bodyMax);
  if (rest === undefined) return { ...reply, content: inMemory(bytes, charset, headers) };
  if (isWanted) return { ...reply, content: new StreamCache(behind(bytes, rest), { charset }) };
  body.destroy();
  return { ...reply, content: bytes };
}

function inMemory(bytes: Buffer, charset: string | undefined, headers: readonly HeaderPair[]): Buffer | StreamCache {
  const isPlain = charset === undefined && headerOf(headers, 'content-encoding') === undefined;
  const length = Number(headerOf(headers, 'content-length') ?? 0);
  return isPlain && length > 0 && length <= BYTES_MAX ? bytes : StreamCache.of(bytes, { charset });
}

/** The body as it was before it was packed. */
async function* unpacked({ body, headers }: ClientReply): AsyncGenerator<Buffer> {
  const packing = headerOf(headers, 'content-encoding')?.trim().toLowerCase();
  try {
    if (packing === 'gzip' || packing === 'x-gzip') yield* pipeline(body, createGunzip(), () => {});
    else if (packing === 'deflate') yield* pipeline(body, createInflate(), () => {});
    else yield* body as Readable & AsyncIterable<Buffer>;
  } catch (thrown) {
    throw bodyFailure(thrown);
  }
}

/** The beginning of a stream; `rest`: there is more than so much. */
interface Beginning {
  readonly bytes: Buffer;
  readonly rest?: AsyncIterator<Buffer>;
}

async function readUpTo(stream: AsyncIterable<Buffer>, bytesMax: number): Promise<Beginning> {
  const rest = stream[Symbol.asyncIterator]();
  const pieces: Buffer[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await rest.next();
    if (done === true) return { bytes: Buffer.concat(pieces, size) };
    pieces.push(value);
    size += value.length;
    if (size > bytesMax) return { bytes: Buffer.concat(pieces, size), rest };
  }
}

async function* behind(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  try {
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** The charset of a type; undefined: it is UTF-8, or not known. */
function charsetOf(contentType: string | undefined): string | undefined {
  const name = /charset\s*=\s*"?([^;"\s]+)/i.exec(contentType ?? '')?.[1];
  if (name === undefined || /^utf-?8$/i.test(name)) return undefined;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}

/** Goes on with an answer in place of what was sent. @throws ExchangeFailure `HttpOperationFailedException` where it is not what was wanted */
export function takeReply(exchange: Exchange, reply: ReadReply, options: HttpOptions): void {
  const { status, statusText, content, body } = reply;
  if (!body.closed)
    exchange.atEnd({
      isLast: true,
      run: () => {
        if (!(content instanceof StreamCache && content.isHeld)) body.destroy();
        return undefined;
      },
    });
  if (options.throwsOnFailure && !options.isOk(status)) {
    exchange.headers.set('CamelHttpResponseCode', status);
    exchange.headers.set('CamelHttpResponseText', statusText);
    throw operationFailure({ ...reply, ...redirectOf(reply), headers: all(reply.headers), body: textIn(content) });
  }
  const headers = new Headers();
  headers.set('CamelHttpResponseCode', status);
  headers.set('CamelHttpResponseText', statusText);
  if (!options.skipsResponseHeaders) addHeaders(headers, exchange, reply);
  if (options.copiesHeaders)
    for (const [name, value] of exchange.headers)
      if (!headers.has(name) && outlivesAnswer(name)) headers.set(name, value);
  exchange.take({ body: content, headers });
}

function addHeaders(headers: Headers, exchange: Exchange, { headers: pairs }: ReadReply): void {
  const type = headerOf(pairs, 'content-type');
  if (type !== undefined) exchange.properties.set('CamelCharsetName', (charsetOf(type) ?? 'UTF-8').toUpperCase());
  for (const [name, text] of pairs) {
    const lower = name.toLowerCase();
    if (!comesIn(name) || lower === 'content-encoding') continue;
    const value = listed(text);
    const known = headers.get(name);
    if (known === undefined) headers.set(lower === 'content-type' ? 'Content-Type' : name, value);
    else headers.set(name, [known, value].flat());
  }
}

/** What stands in a header as `[a, b]` is a list. */
const listed = (text: string): string | string[] =>
  /^\s*\[([\s\S]*)\]\s*$/
    .exec(text)?.[1]
    ?.split(',')
    .map((one) => one.trim()) ?? text;

const redirectOf = ({ status, headers }: ClientReply) => ({
  location: status >= 300 && status < 400 ? (headerOf(headers, 'location') ?? null) : null,
});

const all = (pairs: readonly HeaderPair[]): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const [name, value] of pairs)
    Object.defineProperty(headers, name, { value, enumerable: true, configurable: true, writable: true });
  return headers;
};

/** The text of an answer that was read. */
function textIn(content: ReadReply['content']): string | null {
  if (content === null) return null;
  const bytes = content instanceof StreamCache ? content.bytes : content;
  const charset = content instanceof StreamCache ? content.charset : undefined;
  return bytes === undefined ? null : new TextDecoder(charset).decode(bytes);
}
