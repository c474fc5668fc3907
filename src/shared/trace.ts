import {
  type Attributes,
  type Context,
  context,
  createNoopMeter,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  type Link,
  metrics,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

export type { Attributes };

/** Asked for anew each time: a tracer that was had before there was a provider, or of another provider, would stay that. */
const tracer = () => trace.getTracer('millrace');

/** Whether spans go anywhere: an SDK is registered. Without one nothing here costs more than this look. */
export function isTracing(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer('millrace') !== undefined;
}

/** Whether measurements go anywhere: an SDK is registered. */
export const isMeasuring = (): boolean => metrics.getMeterProvider().getMeter('millrace') !== createNoopMeter();

/** Whether anybody collects spans or measurements. */
export const isCollected = (): boolean => isTracing() || isMeasuring();

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
  if (!isTracing()) return work(NO_SPAN);
  return tracer().startActiveSpan(name, optionsOf(start), parentOf(start), (span) => {
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

/** Runs `work` as a part of the span of the `traceparent`, which another thread has begun. Undefined: as it is. */
export function continuing<T>(traceparent: string | undefined, work: () => T): T {
  const parent = traceparent !== undefined && isTracing() ? spanContextOf(traceparent) : undefined;
  return parent === undefined ? work() : context.with(trace.setSpanContext(ROOT_CONTEXT, parent), work);
}

/** A span of something that is over. */
interface PastSpan extends SpanStart {
  /** Its own ids, as `traceparent`, where something has continued it already. Default: new ones. */
  readonly span?: string;
  /** ms since 1970 */
  readonly startTime: number;
  /** ms since 1970. Default: it took no time. */
  readonly endTime?: number;
  /** Why it failed. Default: it did not. */
  readonly error?: unknown;
}

/** Tells of something that is over; gives its span as `traceparent`, undefined when nobody collects spans. */
export function recordSpan(name: string, past: PastSpan): string | undefined {
  if (!isTracing()) return undefined;
  const begin = () => tracer().startSpan(name, { ...optionsOf(past), startTime: past.startTime }, parentOf(past));
  const span = past.span === undefined ? begin() : withIds(past.span, begin);
  if (past.error !== undefined) markFailed(span, past.error);
  // Clocks of two moments may disagree by a little; an end before its start would be refused.
  span.end(Math.max(past.startTime, past.endTime ?? past.startTime));
  return traceparentOf(span.spanContext());
}

let preset: Pick<SpanContext, 'traceId' | 'spanId'> | undefined;

function withIds<T>(traceparent: string, begin: () => T): T {
  preset = spanContextOf(traceparent);
  try {
    return begin();
  } finally {
    preset = undefined;
  }
}

const randomHex = (digits: number): string =>
  Array.from({ length: digits / 8 }, () =>
    Math.floor(Math.random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('');

/** Gives spans their ids: those of a span that something has continued already, else new ones. To be given to the SDK. */
export const spanIds = {
  generateTraceId: (): string => preset?.traceId ?? randomHex(32),
  generateSpanId: (): string => preset?.spanId ?? randomHex(16),
};

/** How old a trace may become, ms. Trace stores drop what comes much later; what goes on then begins a trace that is linked to it. */
export const TRACE_AGE_MAX_MS = 3_600_000;

/** Continues the trace that was kept when it is `ageMs` old, or begins one that is linked to it. */
export function continued(
  traceparent: string | undefined,
  ageMs: number,
): Pick<SpanStart, 'traceparent' | 'root' | 'links'> {
  const goesOn = traceparent !== undefined && ageMs <= TRACE_AGE_MAX_MS;
  return goesOn ? { traceparent } : { root: true, links: [traceparent] };
}

/** The active span as W3C `traceparent`, or undefined without one. */
export function activeTraceparent(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext();
  return span === undefined ? undefined : traceparentOf(span);
}

/** The active span as log lines name it; nothing without one. */
export function activeTraceIds(): { readonly trace_id?: string; readonly span_id?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  return span === undefined || !isSpanContextValid(span) ? {} : { trace_id: span.traceId, span_id: span.spanId };
}

/** Adds to the active span, if there is one. */
export function annotateSpan(attributes: Attributes): void {
  trace.getActiveSpan()?.setAttributes(attributes);
}

/** Marks a span as failed with the code of what was thrown; `INTERNAL_ERROR` for a bug. */
export function markFailed(span: Span, thrown: unknown): void {
  span.setAttribute('error.type', errorType(thrown));
  span.setStatus({ code: SpanStatusCode.ERROR, message: thrown instanceof Error ? thrown.message : String(thrown) });
}

/** `error.type` of what was thrown, the same on spans and metrics. */
export function errorType(thrown: unknown): string {
  const code = (thrown as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : 'INTERNAL_ERROR';
}

const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

const optionsOf = ({ kind = SpanKind.INTERNAL, attributes = {}, links = [] }: SpanStart) => ({
  kind,
  attributes,
  links: links.flatMap(linkTo),
});

function traceparentOf(span: SpanContext): string | undefined {
  if (!isSpanContextValid(span)) return undefined;
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
  markFailed(span, thrown);
  throw thrown;
}

export { SpanKind, SpanStatusCode };
