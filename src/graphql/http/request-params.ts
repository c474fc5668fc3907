import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../shared/caller.js';
import { limitExceeded, type ServiceError } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import type { BodyShare } from './memory-budget.js';
import { bodyTooLarge, malformed } from './transport-error.js';

/**
 * The whole body of a request. What has arrived of it counts for its share: a client that announces much and sends little takes little.
 * @throws TransportError 413 beyond `bytesMax`, 503 where there is no room for it now, 400 when the client breaks it off
 */
export async function readBody(request: IncomingMessage, bytesMax: number, share: BodyShare): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > bytesMax) throw bodyTooLarge(bytesMax);
  if (announced > 0 && request.readableLength === announced) return arrivedBody(request, share);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      try {
        if (bytes > bytesMax) throw bodyTooLarge(bytesMax);
        share.arrived(bytes);
        chunks.push(chunk);
      } catch (thrown) {
        request.off('data', onData);
        reject(thrown);
      }
    };
    const onGone = () => {
      log.debug({ bytes, announced }, 'a client went away within the body of its request');
      reject(malformed('expected the whole body, but the connection was closed'));
    };
    request.on('data', onData);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => {}); // told at once by its close
    request.once('close', () => {
      if (!request.complete) onGone();
    });
  });
}

/** The body of a request that is here as a whole, as a small one is that came with its headers: nobody needs to listen for it. */
function arrivedBody(request: IncomingMessage, share: BodyShare): Buffer {
  share.arrived(request.readableLength);
  const body = request.read() as Buffer;
  request.resume(); // to its end, which follows
  return body;
}

/**
 * Lets the rest of a body pass by unkept, so that a client that still sends can read the answer. Beyond `bytesMax` the connection goes.
 */
export function discardBody(request: IncomingMessage, bytesMax: number): void {
  if (request.complete) return;
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesMax) request.destroy();
  });
  request.on('error', () => {}); // the client's going away is no one's concern any more
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const UNDERSCORE = 0x5f;

/** Limits of the JSON of a request. */
export interface JsonLimits {
  /** How deep lists and objects nest. */
  readonly depthMax: number;
  /** Members and items, all together. */
  readonly valuesMax: number;
}

/** Problem for which JSON is not parsed. */
type JsonProblem = 'too_deep' | 'too_many_values' | 'prototype_key';

/**
 * The problem of a JSON text before anything is made of it: it nests too deep, it has too many values, or it has a key `__proto__`, which a
 * careless merge further on would take for a prototype. It looks at bytes, once; strings are leapt over.
 */
export function jsonProblem(text: Buffer, { depthMax, valuesMax }: JsonLimits): JsonProblem | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case QUOTE: {
        const from = at + 1;
        at = endOfString(text, from);
        if (isPrototypeKey(text, from, at)) return 'prototype_key';
        break;
      }
      case COMMA:
        values++;
        break;
      case 0x7b: // {
      case 0x5b: // [
        depth++;
        values += Number(!closesAt(text, afterSpace(text, at + 1)));
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth--;
        break;
    }
    if (depth > depthMax) return 'too_deep';
    if (values > valuesMax) return 'too_many_values';
  }
  return undefined;
}

function endOfString(text: Buffer, from: number): number {
  const end = text.indexOf(QUOTE, from);
  if (end < 0) return text.length;
  if (text[end - 1] !== BACKSLASH || end === from) return end;
  // From the first escape that may hide a quote on byte by byte: a text of nothing but quotes would be sought through millions of times.
  let at = end - 1;
  while (at > from && text[at - 1] === BACKSLASH) at--;
  for (; at < text.length; at++) {
    if (text[at] === BACKSLASH) at++;
    else if (text[at] === QUOTE) return at;
  }
  return text.length;
}

/** As many bytes as `__proto__` has when each of its letters is spelt as an escape. */
const KEY_BYTES_MAX = 54;

function isPrototypeKey(text: Buffer, from: number, to: number): boolean {
  const first = text[from];
  if ((first !== UNDERSCORE && first !== BACKSLASH) || to - from > KEY_BYTES_MAX) return false;
  if (text[afterSpace(text, to + 1)] !== COLON) return false;
  const spelt = text.toString('utf8', from, to);
  return spelt === '__proto__' || (spelt.includes('\\u') && unescaped(spelt) === '__proto__');
}

const unescaped = (spelt: string) =>
  spelt.replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

const closesAt = (text: Buffer, at: number) => text[at] === 0x7d || text[at] === 0x5d;

function afterSpace(text: Buffer, from: number): number {
  let at = from;
  while (text[at] === 0x20 || text[at] === 0x0a || text[at] === 0x0d || text[at] === 0x09) at++;
  return at;
}

/** A GraphQL request, whatever way it came. */
export interface RequestParams {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly extensions: Readonly<Record<string, unknown>>;
}

const IDEMPOTENCY_KEY_CHARS_MAX = 255;
const LOCK_TOKENS_MAX = 100;
const LOCK_TOKEN_CHARS_MAX = 255;

/** The request in the JSON body of a POST. @throws TransportError 400, LIMIT_EXCEEDED */
export function paramsOfBody(body: Buffer, limits: JsonLimits): RequestParams {
  const parsed = parseJson(body, limits, 'the body');
  if (Array.isArray(parsed))
    throw malformed('expected one GraphQL request as the body, but it is an array: requests are not batched');
  if (!isRecord(parsed)) throw malformed('expected a JSON object as the body');
  return paramsFrom(parsed);
}

/** The request in the query string of a GET. @throws TransportError 400, LIMIT_EXCEEDED */
export function paramsOfSearch(search: URLSearchParams, limits: JsonLimits): RequestParams {
  const json = (name: string) => {
    const text = search.get(name);
    return text ? parseJson(Buffer.from(text), limits, `the parameter ${name}`) : undefined;
  };
  return paramsFrom({
    query: search.get('query') ?? undefined,
    operationName: search.get('operationName'),
    variables: json('variables'),
    extensions: json('extensions'),
  });
}

/** The facts of a request with what its extensions say: the client's key of idempotency, and tokens of locks. @throws TransportError 400 */
export function withExtensions<T extends { readonly caller: Caller }>(
  facts: T,
  { extensions }: RequestParams,
): T & { idempotencyKey?: string } {
  const { idempotencyKey, lockTokens } = extensions;
  if (idempotencyKey === undefined && lockTokens === undefined) return facts;
  return { ...facts, ...keyOf(idempotencyKey), caller: { ...facts.caller, ...tokensOf(lockTokens) } };
}

function keyOf(key: unknown): { idempotencyKey?: string } {
  if (key === undefined || key === null) return {};
  if (typeof key === 'string' && key.length > 0 && key.length <= IDEMPOTENCY_KEY_CHARS_MAX)
    return { idempotencyKey: key };
  throw malformed(`expected extensions.idempotencyKey to be 1 to ${IDEMPOTENCY_KEY_CHARS_MAX} characters`);
}

function tokensOf(tokens: unknown): Pick<Caller, 'lockTokens'> {
  if (tokens === undefined || tokens === null) return {};
  const isToken = (token: unknown) => typeof token === 'string' && token.length <= LOCK_TOKEN_CHARS_MAX;
  if (Array.isArray(tokens) && tokens.length <= LOCK_TOKENS_MAX && tokens.every(isToken)) return { lockTokens: tokens };
  throw malformed(`expected extensions.lockTokens to be a list of at most ${LOCK_TOKENS_MAX} tokens of locks`);
}

function parseJson(text: Buffer, limits: JsonLimits, what: string): unknown {
  const problem = jsonProblem(text, limits);
  if (problem !== undefined) throw refused[problem](what, limits);
  try {
    return JSON.parse(text.toString('utf8'));
  } catch {
    throw malformed(`expected ${what} to be JSON, but it is not`);
  }
}

const refused: Readonly<Record<JsonProblem, (what: string, limits: JsonLimits) => ServiceError>> = {
  too_deep: (what, { depthMax }) =>
    limitExceeded(`expected ${what} to nest at most ${depthMax} levels of JSON, but it goes deeper`, {
      reason: 'json_too_deep',
    }),
  too_many_values: (what, { valuesMax }) =>
    limitExceeded(`expected ${what} to have at most ${valuesMax} members and items of JSON, but it has more`, {
      reason: 'json_too_many_values',
    }),
  prototype_key: (what) => malformed(`expected no key '__proto__' in ${what}, but there is one`),
};

function paramsFrom(given: Readonly<Record<string, unknown>>): RequestParams {
  const { query, operationName } = given;
  if (typeof query !== 'string')
    throw malformed(`expected the parameter query to be a string, but it is ${kindOf(query)}`);
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw malformed(`expected the parameter operationName to be a string, but it is ${kindOf(operationName)}`);
  }
  return {
    query,
    operationName: operationName || undefined,
    variables: mapOf('variables', given.variables),
    extensions: mapOf('extensions', given.extensions),
  };
}

const NOTHING: Readonly<Record<string, unknown>> = Object.freeze({});

function mapOf(name: string, value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return NOTHING;
  if (isRecord(value)) return value;
  throw malformed(`expected the parameter ${name} to be an object, but it is ${kindOf(value)}`);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const kindOf = (value: unknown) =>
  value === undefined ? 'absent' : value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
