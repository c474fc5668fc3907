import {
  type Attributes,
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

const tracer = trace.getTracer('millrace');

/** How a span begins: its kind, attributes, and the persisted `traceparent` that it continues (default: the active span). */
export interface SpanStart {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  readonly traceparent?: string | undefined;
}

/** Runs `work` within a span that ends with it; a throw marks the span as failed with the error's code. */
export function inSpan<T>(name: string, start: SpanStart, work: (span: Span) => T): T {
  const parent = start.traceparent === undefined ? context.active() : contextOf(start.traceparent);
  const options = { kind: start.kind ?? SpanKind.INTERNAL, attributes: start.attributes ?? {} };
  return tracer.startActiveSpan(name, options, parent, (span) => {
    try {
      const result = work(span);
      if (result instanceof Promise) {
        return result.catch((thrown: unknown) => fail(span, thrown)).finally(() => span.end()) as T;
      }
      span.end();
      return result;
    } catch (thrown) {
      try {
        return fail(span, thrown);
      } finally {
        span.end();
      }
    }
  });
}

/** The active span as W3C `traceparent`, or undefined without one. */
export function activeTraceparent(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext();
  if (span === undefined) return undefined;
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
}

function contextOf(traceparent: string): Context {
  const [, traceId, spanId, flags] = traceparent.split('-');
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags ?? '00', 16);
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function fail(span: Span, thrown: unknown): never {
  const code = (thrown as { code?: unknown }).code;
  span.setAttribute('error.type', typeof code === 'string' ? code : 'INTERNAL_ERROR');
  span.setStatus({ code: SpanStatusCode.ERROR, message: thrown instanceof Error ? thrown.message : String(thrown) });
  throw thrown;
}

export { SpanKind };
