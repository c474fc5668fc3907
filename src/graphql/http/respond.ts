import type { ServerResponse } from 'node:http';
import type { GraphQLFormattedError } from 'graphql';
import type { GraphqlResult } from '../execution/operation-runner.js';
import { retryAfterSeconds, statusOf } from '../format-error.js';
import type { Timers } from '../timers.js';
import type { AnswerText } from './answer-text.js';
import { endBehindBody } from './end-behind-body.js';
import type { JsonMediaType } from './media-type.js';

/** How a result is sent. */
export interface Reply {
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
export interface Patience {
  readonly timers: Timers;
  /** ms */
  readonly stallMs: number;
}

/** Sends the text of a long result as fast as the client takes it; resolves when it is gone, or the client is. */
export async function respondAtLength(
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
  const callOff = timers.after(stallMs, () => response.destroy());
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off(event, done).off('close', done);
      resolve();
    };
    response.once(event, done).once('close', done);
  });
  callOff();
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
