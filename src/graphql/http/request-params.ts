import type { Caller } from '../../shared/caller.js';
import { limitExceeded, type ServiceError } from '../../shared/errors.js';
import { type JsonLimits, type JsonProblem, jsonProblem } from './json-guard.js';
import { malformed } from './transport-error.js';

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
