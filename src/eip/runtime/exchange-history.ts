import { type Exchange, failureType, typeName } from '../../expression/routes.js';
import { messageOf } from '../../shared/errors.js';
import type { ComponentContext } from '../component/component.js';
import { type Outcome, type Step, untilSignal, whenThrough } from '../flow/outcome.js';
import type { HistoryPolicy } from '../history/history-policy.js';
import { type PackedRecords, RecordPacker, type StepName } from '../history/packed-records.js';
import { recordedHeaders } from '../history/recorded-headers.js';
import type { TimeHistogram } from '../history/time-histogram.js';
import { Trail } from '../history/trail.js';
import { type ExchangeSpan, ExchangeSpans } from './exchange-spans.js';
import type { Meters } from './meters.js';

/** Exchanges that ended since the last batch. */
export interface HistoryBatch {
  /** Null: none. */
  readonly completed: PackedRecords | null;
  readonly failed: PackedRecords | null;
  readonly spans: readonly ExchangeSpan[];
}

/** The context of a history: its log, clocks, and policy. */
interface HistoryContext extends Pick<ComponentContext, 'log'> {
  /** The domain's clock, in ms since 1970. */
  now(): number;
  /** A clock that goes on by itself, in ms. */
  elapsed(): number;
  /** Calls `work` after so many ms of the machine's clock. */
  after(ms: number, work: () => void): () => void;
  /** Whether each step of each exchange is written to the log. */
  readonly isTracing: boolean;
  /** Where times of steps are counted. */
  readonly meters: Meters;
}

/** Where exchanges begin that are kept. */
export interface Beginning {
  readonly routeId: string;
  /** The endpoint of its consumer, secrets masked, without its query. */
  readonly endpoint: string;
  readonly policy: HistoryPolicy;
}

/** Options of the history of a context: its receiver, and its limits. */
export interface HistoryOptions {
  /** Takes a batch over. */
  readonly send: (batch: HistoryBatch) => void;
  /** Where failed exchanges of so many bytes are not said to be kept, no more are begun. Default: however many. */
  readonly unkeptMax?: number | undefined;
  /** Whether somebody collects spans. Default: nobody does. */
  readonly collectsSpans?: boolean | undefined;
}

/** A batch goes when it has so many rows, so many bytes, or after so long. */
const BATCH_ROWS = 2_000;
const BATCH_BYTES = 256 * 1024;
const BATCH_MS = 100;

/** So many characters of a failure's message, and of a business key, are kept. */
const TEXT_MAX = 512;
const BUSINESS_KEY = 'mi:history.businessKey';

/** The history of the exchanges of one context: the steps that each went through, packed in batches when it has ended. */
export class ExchangeHistory {
  readonly #context: HistoryContext;
  readonly #send: (batch: HistoryBatch) => void;
  readonly #steps: StepName[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #completed = new RecordPacker(this.#steps);
  readonly #failed = new RecordPacker(this.#steps);
  #forget: (() => void) | undefined;
  readonly #spans: ExchangeSpans | undefined;
  readonly #unkeptMax: number;
  /** Bytes of failed exchanges that were sent and are not kept as yet. */
  #unkept = 0;
  /** Exchanges that are not begun meanwhile. */
  #held: (() => void)[] = [];

  constructor(context: HistoryContext, { send, unkeptMax, collectsSpans }: HistoryOptions) {
    this.#unkeptMax = unkeptMax ?? Number.POSITIVE_INFINITY;
    this.#spans = collectsSpans === true ? new ExchangeSpans(() => context.elapsed()) : undefined;
    this.#context = context;
    this.#send = send;
  }

  /** The step, which an exchange that has a trail leaves its times on. */
  traced(step: Step, name: StepName): Step {
    const { number, times } = this.#stepOf(name);
    const context = this.#context;
    const left = (trail: NonNullable<Exchange['trail']>, at: number) => times.add(trail.leave(at, context.elapsed()));
    return (exchange) => {
      const { trail } = exchange;
      if (context.isTracing) context.log('INFO', TRACER, tracedText(exchange, name), exchange);
      if (trail === null || trail === undefined) return step(exchange);
      const at = trail.enter(number, context.elapsed());
      let outcome: Outcome;
      try {
        outcome = step(exchange);
      } catch (thrown) {
        left(trail, at);
        throw thrown;
      }
      if (outcome !== undefined)
        return whenThrough(
          () => outcome,
          () => left(trail, at),
        );
      left(trail, at);
      return undefined;
    };
  }

  /** Steps of a route that an exchange begins in, or comes to in the course of another one, which is the one that is kept then. */
  recorded(steps: Step, beginning: Beginning): Step {
    const { policy } = beginning;
    const begun: Step = (exchange) => {
      const trail = new Trail(this.#context.elapsed());
      exchange.trail = trail;
      if (this.#spans !== undefined) trail.span = this.#spans.begin(exchange);
      let outcome: Outcome;
      try {
        outcome = steps(exchange);
      } catch (thrown) {
        this.#ended(exchange, beginning, trail, thrown);
        throw thrown;
      }
      if (outcome !== undefined)
        return whenThrough(
          () => outcome,
          (_isFailed, thrown) => this.#ended(exchange, beginning, trail, thrown),
        );
      this.#ended(exchange, beginning, trail, undefined);
      return undefined;
    };
    return (exchange) => {
      if (exchange.trail !== undefined) return steps(exchange);
      if (policy === 'none') {
        exchange.trail = null;
        return steps(exchange);
      }
      if (this.#unkept <= this.#unkeptMax) return begun(exchange);
      return untilSignal(
        'history',
        (wake) => this.#held.push(wake),
        () => begun(exchange),
      );
    };
  }

  /** Failed exchanges of so many bytes are kept: where others were not begun for that, they are now. */
  kept(bytes: number): void {
    this.#unkept -= bytes;
    if (this.#unkept > this.#unkeptMax) return;
    const held = this.#held;
    this.#held = [];
    for (const begin of held) begin();
  }

  /** Sends what has ended so far. */
  flush(): void {
    this.#forget?.();
    this.#forget = undefined;
    const [completed, failed] = [taken(this.#completed), taken(this.#failed)];
    const spans = this.#spans?.take() ?? [];
    if (completed === null && failed === null && spans.length === 0) return;
    this.#unkept += failed?.bytes.byteLength ?? 0;
    this.#send({ completed, failed, spans });
    this.#context.meters.tell();
  }

  #ended(exchange: Exchange, beginning: Beginning, trail: Trail, thrown: unknown): void {
    const { routeId, policy } = beginning;
    // Of what it is sent to next, another route may keep something.
    exchange.trail = undefined;
    if (trail.span !== undefined) this.#spanEnded(exchange, beginning, trail, thrown);
    const cause = thrown ?? exchange.properties.get('CamelExceptionCaught') ?? null;
    if (policy === 'failure' && cause === null) return;
    const packer = thrown === undefined ? this.#completed : this.#failed;
    packer.add({
      exchangeId: exchange.id,
      routeId,
      createdAt: exchange.createdAt,
      completedAt: this.#context.now(),
      elapsed: this.#elapsedOf(trail),
      status: thrown === undefined ? 'completed' : 'failed',
      exceptionType: cause === null ? null : failureType(cause),
      exceptionMessage: cause === null ? null : cut(messageOf(cause)),
      stackTrace: thrown === undefined ? null : stackTrace(exchange, thrown),
      businessKey: businessKeyOf(exchange),
      bodyType: typeOf(exchange.body),
      bodySize: sizeOf(exchange.body),
      headers: recordedHeaders(exchange.headers),
      forgotten: trail.forgotten,
      steps: trail,
      stepCount: trail.length,
    });
    if (packer.count >= BATCH_ROWS || packer.byteLength >= BATCH_BYTES) this.flush();
    else this.#forget ??= this.#context.after(BATCH_MS, () => this.flush());
  }

  #spanEnded(exchange: Exchange, { routeId, endpoint }: Beginning, trail: Trail, thrown: unknown): void {
    const spans = this.#spans;
    if (spans === undefined || trail.span === undefined) return;
    const steps = Array.from(trail, ({ step, entered, taken }) => {
      const name = this.#steps[step] ?? { routeId: '', stepId: '', endpointUri: null };
      return { ...name, entered, taken: Math.max(0, taken) };
    });
    const told = this.#context.isTracing ? steps : steps.filter(({ endpointUri }) => endpointUri !== null);
    spans.end(exchange, trail.span, { routeId, endpoint, thrown, steps: told, elapsed: this.#elapsedOf(trail) });
    this.#forget ??= this.#context.after(BATCH_MS, () => this.flush());
  }

  /** µs */
  #elapsedOf({ began }: Trail): number {
    return Math.max(0, Math.round((this.#context.elapsed() - began) * 1000));
  }

  #stepOf(name: StepName): { readonly number: number; readonly times: TimeHistogram } {
    const key = JSON.stringify([name.routeId, name.stepId, name.endpointUri]);
    const number = this.#numbers.get(key) ?? this.#steps.length;
    this.#numbers.set(key, number);
    this.#steps[number] = name;
    return { number, times: this.#context.meters.step(name) };
  }
}

/** Where Camel's own tracer writes. */
const TRACER = 'org.apache.camel.Tracing';

/** The step that an exchange enters, and the beginning of its body where that is text. */
function tracedText({ body }: Exchange, { routeId, stepId, endpointUri }: StepName): string {
  const shown = typeof body === 'string' ? `, Body: ${cut(body)}` : '';
  const type = typeOf(body) ?? 'null';
  return `[${routeId}] [${stepId}] ${endpointUri === null ? '' : `[${endpointUri}] `}BodyType: ${type}${shown}`;
}

const taken = (packer: RecordPacker): PackedRecords | null => (packer.count === 0 ? null : packer.take());

/** So many causes are told of a failure. */
const CAUSES_MAX = 10;
const STACK_MAX = 4_000;

/** What failed, the step where that was, and what caused it, in Java's form. */
function stackTrace({ properties, routeId, stepId }: Exchange, thrown: unknown): string {
  const place = `${String(properties.get('CamelFailureRouteId') ?? routeId)}/${stepId ?? ''}`;
  const lines = [`${failureType(thrown)}: ${cut(messageOf(thrown))}`, `\tat ${place}`];
  let cause = thrown instanceof Error ? thrown.cause : undefined;
  for (let count = 0; cause !== undefined && cause !== null && count < CAUSES_MAX; count++) {
    lines.push(`Caused by: ${failureType(cause)}: ${cut(messageOf(cause))}`);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return lines.join('\n').slice(0, STACK_MAX);
}

const cut = (text: string): string => (text.length <= TEXT_MAX ? text : text.slice(0, TEXT_MAX));

function businessKeyOf({ headers }: Exchange): string | null {
  const key = headers.get(BUSINESS_KEY);
  return key === undefined || key === null ? null : cut(String(key));
}

/** The name of its Java class without the package. */
function typeOf(body: unknown): string | null {
  if (typeof body === 'string') return 'String';
  if (body === null || body === undefined) return null;
  const name = typeName(body);
  return name.slice(name.lastIndexOf('.') + 1);
}

function sizeOf(body: unknown): number | null {
  if (typeof body === 'string') return Buffer.byteLength(body);
  return body instanceof Uint8Array ? body.byteLength : null;
}
