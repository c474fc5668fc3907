import { type Exchange, failureType } from '../../expression/routes.js';
import type { StepName } from '../history/packed-records.js';

/** The span of an exchange, for whoever collects spans. Plain data. */
export interface ExchangeSpan {
  /** W3C trace context of the exchange's span. */
  readonly traceparent: string;
  /** That of the span that it continues; null: it begins a trace. */
  readonly parent: string | null;
  readonly exchangeId: string;
  readonly routeId: string;
  /** Where it came from: the endpoint, without its query. */
  readonly endpoint: string;
  /** ms, domain clock */
  readonly createdAt: number;
  /** µs */
  readonly elapsed: number;
  /** Java class of what failed, and nobody handled. */
  readonly error: string | null;
  /** Steps that send, or, where each step is written to the log, all. */
  readonly steps: readonly SpanStep[];
}

export interface SpanStep extends StepName {
  /** µs since the exchange began. */
  readonly entered: number;
  /** µs */
  readonly taken: number;
}

/** Traces that exchanges begin themselves, each second; those of callers go on as they are sampled. */
const ROOTS_PER_SECOND = 50;
/** Exchanges that wait to be told; more are not told. */
const SPANS_MAX = 500;
const STEPS_MAX = 50;
const HEADER = 'traceparent';

/** The spans of exchanges of one context: of those that a sampled trace caused, and of some others. */
export class ExchangeSpans {
  readonly #elapsed: () => number;
  #spans: ExchangeSpan[] = [];
  #second = 0;
  #roots = 0;

  /** `elapsed`: a clock that goes on by itself, in ms. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  get count(): number {
    return this.#spans.length;
  }

  /** Begins the span of an exchange: what it sends, and the commands of its route, continue that. Undefined: it has none. */
  begin(exchange: Exchange): SpanBegin | undefined {
    const given = exchange.headers.get(HEADER);
    const [, traceId, , flags] = FORM.exec(typeof given === 'string' ? given : '') ?? [];
    const isSampled = flags === undefined ? this.#isRootTaken() : (Number.parseInt(flags, 16) & 1) === 1;
    if (!isSampled || this.#spans.length >= SPANS_MAX) return undefined;
    const { context } = exchange;
    const hex = (digits: number) =>
      Array.from({ length: digits }, () => Math.floor(context.random() * 16).toString(16)).join('');
    const traceparent = `00-${traceId ?? hex(32)}-${hex(16)}-01`;
    exchange.headers.set(HEADER, traceparent);
    return { traceparent, parent: traceId === undefined ? null : String(given) };
  }

  end(exchange: Exchange, { traceparent, parent }: SpanBegin, ended: EndedSpan): void {
    const { headers } = exchange;
    if (headers.get(HEADER) === traceparent) {
      if (parent === null) headers.delete(HEADER);
      else headers.set(HEADER, parent);
    }
    if (this.#spans.length >= SPANS_MAX) return;
    const { routeId, endpoint, elapsed, thrown, steps } = ended;
    this.#spans.push({
      ...{ traceparent, parent, exchangeId: exchange.id, routeId, createdAt: exchange.createdAt, elapsed },
      endpoint,
      error: thrown === undefined ? null : failureType(thrown),
      steps: steps.slice(0, STEPS_MAX),
    });
  }

  take(): readonly ExchangeSpan[] {
    const spans = this.#spans;
    this.#spans = [];
    return spans;
  }

  #isRootTaken(): boolean {
    const second = Math.floor(this.#elapsed() / 1000);
    if (second !== this.#second) [this.#second, this.#roots] = [second, 0];
    return this.#roots++ < ROOTS_PER_SECOND;
  }
}

/** W3C Trace Context §3.2.2. */
const FORM = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

/** A span that has begun. */
export type SpanBegin = Pick<ExchangeSpan, 'traceparent' | 'parent'>;

interface EndedSpan extends Pick<ExchangeSpan, 'routeId' | 'endpoint' | 'elapsed' | 'steps'> {
  readonly thrown: unknown;
}
