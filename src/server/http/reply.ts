import type { ServerResponse } from 'node:http';
import { endBehindBody, httpStatus, TransportError } from '../../graphql/index.js';
import { badRequest, type ErrorCode, messageOf, ServiceError } from '../../shared/errors.js';
import { log } from '../../shared/log.js';

/** Answers with a value as JSON, not to be kept. */
export function replyJson(res: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  endBehindBody(res, text);
}

/**
 * Answers with what went wrong, in the shape of GraphQL's errors, so that clients read one shape everywhere. What is no ServiceError is a
 * bug: it is logged, and nothing of it is told. `status`: default the error's own, or the one of its code.
 */
export function replyError(res: ServerResponse, thrown: unknown, status?: number): void {
  const error = thrown instanceof ServiceError ? thrown : bug(thrown, res);
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const { reason = error.code.toLowerCase(), resourceId } = error.info;
  setRetryAfter(res, error);
  const extensions = { code: error.code, reason, ...(resourceId !== undefined && { resourceId }) };
  const given = thrown instanceof TransportError ? thrown : undefined;
  for (const [name, value] of Object.entries(given?.headers ?? {})) res.setHeader(name, value);
  replyJson(res, status ?? given?.status ?? statuses[error.code], { errors: [{ message: error.message, extensions }] });
}

/** Refuses a method; `allowed` is what `Allow` lists. */
export function replyNotAllowed(res: ServerResponse, allowed: string): void {
  res.setHeader('Allow', allowed);
  const message = `expected ${allowed.replaceAll(', ', ' or ')}, but found ${res.req.method}`;
  replyError(res, badRequest(message, { reason: 'method_not_allowed' }), 405);
}

/** Tells when a retry may succeed, where the refusal does: `details.retryAfterSeconds`. */
export function setRetryAfter(res: ServerResponse, { info }: ServiceError): void {
  const { retryAfterSeconds } = (info.details ?? {}) as { retryAfterSeconds?: unknown };
  if (typeof retryAfterSeconds === 'number') res.setHeader('Retry-After', String(retryAfterSeconds));
}

/** Answers with a page of HTML, not to be kept. */
export function replyHtml(res: ServerResponse, status: number, html: string): void {
  res.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
    'Cache-Control': 'no-store',
  });
  res.end(html);
}

/** Leads to another path of this server. */
export function replyRedirect(res: ServerResponse, path: string): void {
  res.writeHead(302, { Location: path, 'Cache-Control': 'no-store', 'Content-Length': 0 });
  res.end();
}

/** Outside of GraphQL what is too large is told by the status that HTTP has for it. */
const statuses: Readonly<Record<ErrorCode, number>> = { ...httpStatus, LIMIT_EXCEEDED: 413 };

function bug(thrown: unknown, res: ServerResponse): ServiceError {
  const requestId = String(res.getHeader('X-Request-Id') ?? '');
  log.error({ err: thrown instanceof Error ? thrown : new Error(messageOf(thrown)), requestId }, 'a request failed');
  return new ServiceError(
    'INTERNAL_ERROR',
    `something went wrong here; the log tells more under the request id ${requestId}`,
  );
}
