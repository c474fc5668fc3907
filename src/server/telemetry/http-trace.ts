import type { IncomingMessage, ServerResponse } from 'node:http';
import { context, propagation, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { httpActiveRequests, httpRequestDuration } from '../../shared/metrics.js';

/**
 * Handles a request within a span of the HTTP conventions, a child of the client's span where it sends a `traceparent`. The span ends with
 * the response; that of an event stream when the stream opens, because nobody waits a day for a span. `routeOf`: default express' own.
 */
export function tracedRequest(
  req: IncomingMessage,
  res: ServerResponse,
  routeOf: ((req: IncomingMessage) => string) | undefined,
  handle: () => void,
): void {
  const route = routeOf?.(req);
  const startedAt = performance.now();
  const method = METHODS.has(req.method ?? '') ? (req.method as string) : '_OTHER';
  const parent = propagation.extract(ROOT_CONTEXT, req.headers);
  const options = {
    kind: SpanKind.SERVER,
    attributes: { 'http.request.method': method, 'url.path': pathOf(req), 'url.scheme': 'http' },
  };
  const span = trace
    .getTracer('millrace')
    .startSpan(route === undefined ? method : `${method} ${route}`, options, parent);
  httpActiveRequests.add(1, { 'http.request.method': method });

  let isOpen = true;
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    const facts = factsOf(req, res, route);
    endSpan(span, method, facts, res);
    httpActiveRequests.add(-1, { 'http.request.method': method });
    httpRequestDuration.record((performance.now() - startedAt) / 1000, { 'http.request.method': method, ...facts });
  };
  res.once('close', end);
  endWhenStreaming(res, end);
  context.with(trace.setSpan(parent, span), handle);
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']);
const pathOf = (req: IncomingMessage) => req.url?.split('?')[0] ?? '';

interface Facts {
  readonly [name: string]: string | number;
}

function factsOf(req: IncomingMessage, res: ServerResponse, route: string | undefined): Facts {
  const found = route ?? (req as { route?: { path?: unknown } }).route?.path;
  const status = res.statusCode;
  return {
    'http.response.status_code': status,
    ...(typeof found === 'string' && { 'http.route': found }),
    ...(status >= 500 && { 'error.type': String(status) }),
  };
}

function endSpan(span: Span, method: string, facts: Facts, res: ServerResponse): void {
  const route = facts['http.route'];
  if (route !== undefined) span.updateName(`${method} ${route}`);
  span.setAttributes(facts);
  if (res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Headers that are written are how a response shows that it is an event stream. */
function endWhenStreaming(res: ServerResponse, end: () => void): void {
  const writeHead = res.writeHead;
  const seen: typeof writeHead = function seen(this: ServerResponse, ...given: unknown[]) {
    const result = Reflect.apply(writeHead, this, given) as ServerResponse;
    if (String(headerOf(res, given.at(-1))).startsWith('text/event-stream')) end();
    return result;
  };
  res.writeHead = seen;
}

function headerOf(res: ServerResponse, given: unknown): unknown {
  const own = typeof given === 'object' && given !== null ? Object.entries(given) : [];
  return own.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? res.getHeader('content-type');
}
