import { pipeline, Readable } from 'node:stream';
import { createGzip, gzipSync } from 'node:zlib';
import { type Exchange, ExchangeFailure, isStream, StreamCache, textOf, typeName } from '../../../expression/routes.js';
import { bodyPieces, textBytes } from '../body.js';
import { goesOut } from './header-filter.js';
import type { ClientRequest, HeaderPair } from './http-client.js';
import type { HttpOptions } from './http-options.js';
import { askedQuery, targetOf, urlOf } from './http-url.js';

/** The address of an endpoint of `http:` and `https:`. */
export interface HttpBase {
  /** As Camel names the endpoint. */
  readonly uri: string;
  /** Without its query. */
  readonly base: string;
  readonly query: string | undefined;
}

/** The request that an exchange is sent as. @throws ExchangeFailure where it cannot be one */
export function requestOf(exchange: Exchange, { uri, base, query }: HttpBase, options: HttpOptions): ClientRequest {
  const parts = { base, query, isBridge: options.isBridge, isFixed: options.skipsControl };
  const method = options.method ?? methodOf(exchange, askedQuery(exchange, parts), options.skipsControl);
  const asked = options.isBridge ? namesIn(exchange.headers.get('CamelHttpQuery')) : undefined;
  const url = urlOf(exchange, parts);
  const { origin } = targetOf(url, uri);
  const headers = options.skipsRequestHeaders ? [] : sentHeaders(exchange, asked);
  const has = (name: string) => headers.some(([known]) => known.toLowerCase() === name);
  const host = options.host ?? (options.preservesHost ? exchange.headers.get('Host') : undefined);
  if (host !== undefined && host !== null) headers.push(['Host', textOf(host)]);
  if (!has('accept-encoding')) headers.push(['Accept-Encoding', 'gzip, x-gzip, deflate']);
  if (!has('user-agent')) headers.push(['User-Agent', options.userAgent]);
  const body = hasBody(method, options) ? bodyOf(exchange, headers, options) : null;
  return { url: `${origin}${url.replace(/^https?:\/\/[^/?#]*/i, '')}`, method, headers, body };
}

const METHOD = /^(GET|POST|PUT|DELETE|HEAD|OPTIONS|TRACE|PATCH)$/i;

function methodOf(exchange: Exchange, query: string | undefined, isFixed: boolean): string {
  const given = isFixed ? undefined : exchange.headers.get('CamelHttpMethod');
  if (given !== undefined && given !== null) {
    const method = textOf(given);
    if (METHOD.test(method)) return method.toUpperCase();
    throw new ExchangeFailure('org.apache.camel.TypeConversionException', `CamelHttpMethod is no method: ${method}`);
  }
  const { body } = exchange;
  if (query !== undefined || body === null || body === undefined) return 'GET';
  return body instanceof StreamCache && body.bytes?.length === 0 ? 'GET' : 'POST';
}

const hasBody = (method: string, { getsWithBody, deletesWithBody }: HttpOptions): boolean =>
  method === 'POST' ||
  method === 'PUT' ||
  method === 'PATCH' ||
  (method === 'GET' && getsWithBody) ||
  (method === 'DELETE' && deletesWithBody);

/** Names of parameters, which a bridge has got as headers, too. */
const namesIn = (query: unknown): ReadonlySet<string> | undefined =>
  query === undefined || query === null ? undefined : new Set(new URLSearchParams(textOf(query)).keys());

function sentHeaders({ headers }: Exchange, asked: ReadonlySet<string> | undefined): HeaderPair[] {
  const sent: HeaderPair[] = [];
  for (const [name, value] of headers) {
    if (value === null || value === undefined || !goesOut(name) || asked?.has(name) === true || isStream(value))
      continue;
    const one = Array.isArray(value) && value.length === 1 ? value[0] : value;
    sent.push([name, headerValue(name, one instanceof Date ? one : textOf(one))]);
  }
  return sent;
}

/** @throws ExchangeFailure where HTTP has no such header */
function headerValue(name: string, value: Date | string): string {
  const text = textOf(value);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no header may hold
  if (/^[!#$%&'*+\-.^_`|~\w]+$/.test(name) && !/[\0-\x08\x0a-\x1f\x7f]|[^\0-\xff]/.test(text)) return text;
  throw new ExchangeFailure(
    'java.lang.IllegalArgumentException',
    `The header ${JSON.stringify(name)} cannot be sent by HTTP`,
  );
}

/** Adds what is to be said of the body. @throws ExchangeFailure `InvalidPayloadException` where it has no bytes */
function bodyOf(exchange: Exchange, headers: HeaderPair[], options: HttpOptions): ClientRequest['body'] {
  const { body } = exchange;
  const { contentType, charset } = typeOf(exchange, options);
  if (contentType !== undefined) headers.push(['Content-Type', headerValue('Content-Type', contentType)]);
  const known = body instanceof StreamCache ? (body.bytes ?? body) : body;
  if (known === null || known === undefined) return Buffer.alloc(0);
  const isZipped = !options.isBridge && /gzip/i.test(textOf(exchange.headers.get('Content-Encoding') ?? ''));
  if (isStream(known)) return isZipped ? zipped(known, charset) : bodyPieces(known, charset);
  const bytes = bytesOf(known, charset);
  return isZipped ? gzipSync(bytes) : bytes;
}

interface SentType {
  readonly contentType: string | undefined;
  /** Of a text. Undefined: UTF-8. */
  readonly charset: string | undefined;
}

/** What is said of a body: a text that has a charset of its own is told to have it. */
function typeOf({ body, headers, properties }: Exchange, { addsCharset }: HttpOptions): SentType {
  const type = headers.get('Content-Type');
  const contentType = type === undefined || type === null ? undefined : textOf(type);
  const charset = /charset="?([^;"\s]+)/i.exec(contentType ?? '')?.[1];
  const own = properties.get('CamelCharsetName');
  if (charset !== undefined || typeof own !== 'string' || typeof body !== 'string' || !addsCharset)
    return { contentType, charset };
  return { contentType: contentType && `${contentType}; charset=${own}`, charset: own };
}

const zipped = (body: AsyncIterable<unknown>, charset: string | undefined): AsyncIterable<Uint8Array> =>
  pipeline(Readable.from(bodyPieces(body, charset)), createGzip(), () => {});

function bytesOf(body: unknown, charset: string | undefined): Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (typeof body === 'string') return textBytes(body, charset);
  const type = typeName(body);
  if (type === 'org.w3c.dom.Node') return textBytes(textOf(body), charset);
  const cause = new ExchangeFailure(
    'org.apache.camel.NoTypeConversionAvailableException',
    `No type converter available to convert from type: ${type} to the required type: java.io.InputStream`,
  );
  throw new ExchangeFailure(
    'org.apache.camel.InvalidPayloadException',
    `No body available of type: java.io.InputStream but has type: ${type}. Caused by: ${cause.message}`,
    { cause },
  );
}
