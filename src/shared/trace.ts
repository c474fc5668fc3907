import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** Asked for anew each time: a tracer that was had before there was a provider, or of another provider, would stay that. */
const tracer = () => trace.getTracer('millrace');

/** How a span begins: its kind and attributes, what it continues, and what it has to do with. */
export interface SpanStart {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** The persisted `traceparent` that it continues. Default: the active span. One that cannot be read begins a trace. */
  readonly traceparent?: string | undefined;
  /** Begins a trace of its own, as after a wait that outlasts what trace stores accept; say in `links` what came before. */
  readonly root?: boolean;
  /** `traceparent`s of spans that led here without being the parent; unreadable ones are left out. */
  readonly links?: readonly (string | undefined)[];
}

/** Runs `work` within a span that ends with it; a throw marks the span as failed with the error's code. */
export function inSpan<T>(name: string, start: SpanStart, work: (span: Span) => T): T {
  const options = {
    kind: start.kind ?? SpanKind.INTERNAL,
    attributes: start.attributes ?? {},
    links: (start.links ?? []).flatMap(linkTo),
  };
  return tracer().startActiveSpan(name, options, parentOf(start), (span) => {
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
  if (span === undefined || !isSpanContextValid(span)) return undefined;
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
}

function parentOf({ traceparent, root = false }: SpanStart): Context {
  if (root) return ROOT_CONTEXT;
  if (traceparent === undefined) return context.active();
  const parent = spanContextOf(traceparent);
  return parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
}

function linkTo(traceparent: string | undefined): Link[] {
  const linked = traceparent === undefined ? undefined : spanContextOf(traceparent);
  return linked === undefined ? [] : [{ context: linked }];
}

/** W3C Trace Context §3.2.2. A later version may have more fields, which are ignored. */
function spanContextOf(traceparent: string): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] =
    /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-|$)/.exec(traceparent) ?? [];
  const found = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(found) ? found : undefined;
}

function fail(span: Span, thrown: unknown): never {
  const code = (thrown as { code?: unknown }).code;
  span.setAttribute('error.type', typeof code === 'string' ? code : 'INTERNAL_ERROR');
  span.setStatus({ code: SpanStatusCode.ERROR, message: thrown instanceof Error ? thrown.message : String(thrown) });
  throw thrown;
}

export { SpanKind };
