import {
  Double,
  type Exchange,
  ExchangeFailure,
  failureType,
  isStream,
  StreamCache,
  textOf,
  typeName,
} from '../../../expression/routes.js';
import { messageOf } from '../../../shared/errors.js';
import { bodyPieces } from '../body.js';
import { goesOut } from '../http/header-filter.js';
import type { HttpReply } from '../http-front.js';

export interface ReplyRules {
  /** What failed is not told to whoever asked. */
  readonly isMuted: boolean;
  /** Headers of the request go back with the answer, too. */
  readonly returnsRequestHeaders: boolean;
  /** Names that the path gives: they do not go back. In lower case. */
  readonly parameters: ReadonlySet<string>;
}

/** Headers that are of requests alone. */
const OF_REQUESTS = new Set([
  ...['a-im', 'accept', 'accept-charset', 'accept-datetime', 'accept-encoding', 'accept-language'],
  ...['access-control-request-headers', 'access-control-request-method', 'authorization', 'cookie', 'expect'],
  ...['forwarded', 'from', 'host', 'http2-settings', 'if-match', 'if-modified-since', 'if-none-match', 'if-range'],
  ...['if-unmodified-since', 'max-forwards', 'origin', 'prefer', 'proxy-authorization', 'range', 'referer', 'te'],
  ...['user-agent'],
]);

type Pairs = [name: string, value: string][];

/** The answer that an exchange has become. @throws ExchangeFailure where its body has no bytes */
export function replyOf(exchange: Exchange, rules: ReplyRules): HttpReply {
  const { exception } = exchange;
  if (exception !== undefined) {
    exchange.body = rules.isMuted ? '' : `${failureType(exception)}: ${messageOf(exception)}`;
    exchange.headers.set('Content-Type', 'text/plain; charset=utf-8');
  }
  const body = bodyOf(exchange.body);
  return { status: statusOf(exchange), headers: headersOf(exchange, rules), body };
}

function statusOf({ headers, exception, body }: Exchange): number {
  const given = headers.get('CamelHttpResponseCode');
  if (given !== undefined && given !== null) {
    const status = Number(textOf(given));
    return Number.isInteger(status) && status >= 200 && status <= 599 ? status : 500;
  }
  if (exception !== undefined) return 500;
  const isNothing = body === null || body === undefined || (typeof body === 'string' && body.trim() === '');
  return isNothing ? 204 : 200;
}

function headersOf({ headers }: Exchange, rules: ReplyRules): Pairs {
  const sent: Pairs = [];
  for (const [name, value] of headers) {
    if (value === null || value === undefined || isStream(value) || !isSent(name, rules)) continue;
    for (const one of [value].flat()) {
      const text = textOf(one);
      if (isHeader(name, text)) sent.push([name, text]);
    }
  }
  return sent;
}

function isSent(name: string, { returnsRequestHeaders, parameters }: ReplyRules): boolean {
  const lower = name.toLowerCase();
  if (lower === 'content-type' || lower === 'cache-control') return true;
  return goesOut(name) && !parameters.has(lower) && (returnsRequestHeaders || !OF_REQUESTS.has(lower));
}

/** A name of a message that HTTP has not, such as one with a space, is the route's own. */
const isHeader = (name: string, value: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no header may hold
  /^[!#$%&'*+\-.^_`|~\w]+$/.test(name) && name !== '*' && !/[\0-\x08\x0a-\x1f\x7f]|[^\0-\xff]/.test(value);

function bodyOf(body: unknown): HttpReply['body'] {
  if (body === null || body === undefined || typeof body === 'string') return body ?? null;
  if (body instanceof Uint8Array) return body;
  if (body instanceof StreamCache && body.bytes !== undefined) return body.bytes;
  if (isStream(body)) return bodyPieces(body instanceof StreamCache ? body.hold() : body);
  const isText = typeof body !== 'object' || body instanceof Date || body instanceof Double;
  if (isText || typeName(body) === 'org.w3c.dom.Node') return textOf(body);
  throw new ExchangeFailure(
    'org.apache.camel.NoTypeConversionAvailableException',
    `No type converter available to convert from type: ${typeName(body)} to the required type: java.io.InputStream`,
  );
}
