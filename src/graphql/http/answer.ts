import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLFormattedError } from 'graphql';
import type { Timers } from '../../shared/time.js';
import { LARGE_BYTES, OVERLOADED } from '../admission/admission.js';
import { answerRefused } from '../execution/execution-guard.js';
import type { RunnableOperation } from '../execution/executor.js';
import type { Asked, GraphqlResult, OperationRunner } from '../execution/operation-runner.js';
import { formatError, retryAfterSeconds, statusOf } from '../format-error.js';
import { eachPiece } from './json-pieces.js';
import { type AnswerShare, UNCOUNTED_ANSWER_BYTES } from './memory-budget.js';
import { acceptable, type JsonMediaType } from './request-head.js';

/** How an operation is answered. */
type Answering = Reply & Patience;

/**
 * Executes a query or mutation and sends its result; resolves when the client has it, or is gone.
 * @throws TransportError 503: there is no room for the answer to a query now
 */
export async function answerOperation<W>(
  runner: OperationRunner<W>,
  work: RunnableOperation,
  asked: Asked<W>,
  response: ServerResponse,
  how: Answering,
): Promise<void> {
  const answer = runner.newAnswer(asked);
  try {
    const isMutation = work.operation.type === 'mutation';
    const result = await (isMutation
      ? runner.execute(work, { ...asked, gone: () => goneFrom(response) }, answer)
      : whileThere(response, (control) => runner.execute(work, asked, answer, control)));
    if (!isLong(result, answer)) return respond(response, result, how);
    const text = await textOfLong(result, answer, isMutation).catch((thrown: unknown) =>
      runner.withheld(work, result, thrown, asked),
    );
    if ('pieces' in text) await respondAtLength(response, result, text, how);
    else respond(response, text, how);
  } finally {
    answer.giveBack();
  }
}

/** Aborted when the client is gone. */
function goneFrom(response: ServerResponse): AbortSignal {
  const control = new AbortController();
  if (response.destroyed) control.abort();
  else response.once('close', () => control.abort());
  return control.signal;
}

/** A query ends when its client is gone. */
async function whileThere<T>(response: ServerResponse, query: (control: AbortController) => Promise<T>): Promise<T> {
  const control = new AbortController();
  const abandon = () => control.abort();
  response.once('close', abandon);
  try {
    return await query(control);
  } finally {
    response.off('close', abandon);
  }
}

/**
 * The JSON of a result as one text, for an event; a small one at once, a long one in turns.
 * @throws TransportError 503: there is no room for it now
 */
export function textOfEvent<W>(
  runner: OperationRunner<W>,
  work: RunnableOperation,
  result: GraphqlResult,
  answer: AnswerShare,
  asked: Asked<W>,
): string | Promise<string> {
  if (!isLong(result, answer)) return JSON.stringify(result);
  return textOfLong(result, answer, work.operation.type === 'mutation').then(
    ({ pieces }) => pieces.join(''),
    (thrown: unknown) => JSON.stringify(runner.withheld(work, result, thrown, asked)),
  );
}

/** An answer as JSON text. */
interface AnswerText {
  readonly pieces: string[];
  /** In UTF-8. */
  readonly bytes: number;
}

/** Errors are no part of what was counted: so many of them are small. */
const FEW_ERRORS = 100;

/** Whether an answer is made in turns. */
const isLong = ({ errors = [] }: GraphqlResult, answer: AnswerShare): boolean =>
  answer.bytes > UNCOUNTED_ANSWER_BYTES || errors.length > FEW_ERRORS;

/**
 * The text of a long answer; others have their turn while it is made. What was counted of it before becomes what it has.
 * @throws LIMIT_EXCEEDED, UNAVAILABLE (503) as the execution does when it counts
 */
async function textOfLong(result: GraphqlResult, answer: AnswerShare, isMutation: boolean): Promise<AnswerText> {
  const pieces: string[] = [];
  let bytes = 0;
  await eachPiece(result, (piece) => {
    bytes += Buffer.byteLength(piece);
    const refusal = answer.settle(bytes);
    if (refusal !== undefined) throw answerRefused(refusal, answer, isMutation);
    pieces.push(piece);
  });
  return { pieces, bytes };
}

/** How a result is sent. */
interface Reply {
  readonly type: JsonMediaType;
  /** Default: what the result and the media type ask for. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const CONTENT_TYPE: Readonly<Record<JsonMediaType, string>> = {
  'application/json': 'application/json; charset=UTF-8',
  'application/graphql-response+json': 'application/graphql-response+json; charset=UTF-8',
};

/** Sends a result as one JSON document. */
export function respond(response: ServerResponse, result: GraphqlResult, reply: Reply): void {
  if (response.headersSent || response.destroyed) return;
  const body = JSON.stringify(result); // as text it leaves in one write with the headers
  writeHead(response, result, reply, Buffer.byteLength(body));
  endBehindBody(response, body);
}

/** How long a client may take nothing of an answer. */
interface Patience {
  readonly timers: Timers;
  /** ms */
  readonly stallMs: number;
}

/** Sends the text of a long result as fast as the client takes it; resolves when it is gone, or the client is. */
async function respondAtLength(
  response: ServerResponse,
  result: GraphqlResult,
  { pieces, bytes }: AnswerText,
  reply: Reply & Patience,
): Promise<void> {
  if (response.headersSent || response.destroyed) return;
  writeHead(response, result, reply, bytes);
  for (const [at, piece] of pieces.entries()) {
    if (response.destroyed) return;
    pieces[at] = '';
    if (!response.write(piece)) await taken(response, 'drain', reply);
  }
  response.end();
  if (!response.writableFinished) await taken(response, 'finish', reply);
}

/** Until the client has taken what was sent; one that takes nothing for too long is left. */
async function taken(
  response: ServerResponse,
  event: 'drain' | 'finish',
  { timers, stallMs }: Patience,
): Promise<void> {
  if (response.destroyed) return;
  const patience = timers.after(stallMs, () => response.destroy());
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off(event, done).off('close', done);
      resolve();
    };
    response.once(event, done).once('close', done);
  });
  patience.cancel();
}

function writeHead(response: ServerResponse, result: GraphqlResult, reply: Reply, bytes: number): void {
  const status = reply.status ?? statusFor(result, reply.type);
  const retryAfter = status < 400 ? undefined : retryAfterSeconds(result.errors?.[0]);
  response.writeHead(status, {
    'content-type': CONTENT_TYPE[reply.type],
    'content-length': bytes,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...reply.headers,
  });
}

/** A response of nothing but one error. */
export const failureOf = (error: GraphQLFormattedError): GraphqlResult => ({ errors: [error] });

/**
 * What has committed is answered with 200: a client that is told to try again would do it twice. application/json: 200, as clients of old expect, that read the body of nothing else. application/graphql-response+json: the first error's
 * status when there is no data.
 */
function statusFor({ data, errors, extensions }: GraphqlResult, type: JsonMediaType): number {
  if (extensions?.position !== undefined) return 200;
  if (type === 'application/json' || errors === undefined) return 200;
  return data === undefined || data === null ? statusOf(errors[0]) : 200;
}

/**
 * Ends a response, which has the length of its body in its headers. Where the connection ends with it, that waits until what is still coming of the request has
 * passed by: closed before, it would be reset, and the client would lose the answer with it.
 */
export function endBehindBody(response: ServerResponse, body: string): void {
  const { req: request } = response;
  if (request.complete || request.destroyed || !closes(response)) {
    response.end(body);
    return;
  }
  response.write(body);
  request.once('close', () => response.end());
  request.resume();
}

const closes = (response: ServerResponse): boolean =>
  !response.shouldKeepAlive || String(response.getHeader('connection')).toLowerCase() === 'close';

/** Whether all that is to be known of a request to refuse it is in few headers: it is small, asks for no stream, and comes from no page of a browser's. */
export const isPlain = ({ method, url = '', headers }: IncomingMessage): boolean =>
  method === 'POST' &&
  headers.origin === undefined &&
  Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= LARGE_BYTES &&
  !url.endsWith('/stream') &&
  !acceptable(headers.accept).eventStream;

/** Refuses a request before it is read, by 503 with `Retry-After`. */
export function refuseAtDoor({ headers }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, HEADERS[acceptable(headers.accept).json ?? 'application/json']).end(BODY);
}

// Made once: to make it anew for each would cost more than to read the request.
const ERROR = formatError(OVERLOADED, { requestId: '', phase: 'execution' });
const BODY = JSON.stringify({ errors: [ERROR] }); // as text it leaves in one write with the headers
const headersOf = (type: JsonMediaType) => ({
  'content-type': `${type}; charset=UTF-8`,
  'content-length': Buffer.byteLength(BODY),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'retry-after': String(retryAfterSeconds(ERROR)),
});
const HEADERS: Readonly<Record<JsonMediaType, ReturnType<typeof headersOf>>> = {
  'application/json': headersOf('application/json'),
  'application/graphql-response+json': headersOf('application/graphql-response+json'),
};
