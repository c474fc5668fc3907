import type { Caller } from '../../shared/caller.js';
import { streamEventsSent, streamResumes } from '../../shared/metrics.js';
import { ENGINE_OFF } from '../execution/engine-guard.js';
import type { RunnableOperation } from '../execution/executor.js';
import type { Asked, GraphqlResult, OperationRunner } from '../execution/operation-runner.js';
import type { FeedCursor, FeedItem } from '../feed-iterator.js';
import { textOfEvent } from '../http/answer.js';
import { UNCOUNTED_ANSWER_BYTES } from '../http/memory-budget.js';
import type { DeliveryTurns } from './delivery-turns.js';

/** Where the results of a subscription go. */
export interface ResultSink {
  /** Nothing is asked of the source before this resolves: a parked stream, or a slow client, leaves its events in the feed. */
  ready?(): Promise<void> | undefined;
  /** A result as JSON; `position` where it belongs to an event. */
  next(result: string, position?: string): void;
  /** There will be no more results, ever. */
  complete(): void;
  /** The source is away for now: the connection is to end, so that the client comes back. */
  fail(): void;
}

/** Parts of the delivery of events. */
export interface DeliveryOptions<W> {
  readonly runner: OperationRunner<W>;
  /** Those of all streams. */
  readonly turns: DeliveryTurns;
  /** Whether the caller's session still stands. */
  readonly stillValid: (caller: Caller) => boolean | Promise<boolean>;
}

/** One subscription that is being delivered: asks its source for one event after the other, executes it, and hands on the result. */
export class SubscriptionRun<W> {
  readonly #runner: OperationRunner<W>;
  readonly #turns: DeliveryTurns;
  readonly #runnable: RunnableOperation;
  readonly #asked: Asked<W>;
  readonly #stillValid: DeliveryOptions<W>['stillValid'];
  readonly #sink: ResultSink;
  readonly #ended = new AbortController();
  #cursor: FeedCursor | undefined;
  /** Where the subscription is known to be when its cursor does not say. */
  #place: string | undefined;
  #isDelivered = true;

  constructor(options: DeliveryOptions<W>, runnable: RunnableOperation, asked: Asked<W>, sink: ResultSink) {
    this.#runner = options.runner;
    this.#turns = options.turns;
    this.#stillValid = options.stillValid;
    this.#runnable = runnable;
    this.#asked = asked;
    this.#sink = sink;
    this.#place = asked.after;
  }

  /** Everything up to here was handed on, or is not for this subscription. Undefined before it has a place. */
  get position(): string | undefined {
    return this.#isDelivered ? this.#place : (this.#cursor?.position?.() ?? this.#place);
  }

  /** Delivers until the source ends or `stop` is called. Never rejects. */
  async run(): Promise<void> {
    let isStarted = false;
    try {
      const source = await this.#runner.subscribe(this.#runnable, this.#asked, this.#ended.signal);
      if (this.#ended.signal.aborted) return;
      if (!(Symbol.asyncIterator in source)) return this.#refuse(source, isStarted);
      isStarted = true;
      if (this.#asked.after !== undefined) streamResumes.add(1, { 'sse.resume.outcome': 'hit' });
      this.#cursor = source[Symbol.asyncIterator]();
      await this.#deliverAll(this.#cursor);
    } catch (thrown) {
      if (!this.#ended.signal.aborted)
        this.#refuse({ errors: [this.#runner.formatted(thrown, this.#asked)] }, isStarted);
    }
  }

  /** Ends the delivery; nothing is handed on any more. */
  stop(): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    this.#cursor?.return?.()?.catch(() => {}); // a source that fails while it is given up changes nothing
  }

  async #deliverAll(cursor: FeedCursor): Promise<void> {
    for (;;) {
      await this.#sink.ready?.();
      if (this.#ended.signal.aborted) return;
      this.#isDelivered = false;
      const { done, value: item } = await cursor.next();
      if (this.#ended.signal.aborted) return;
      if (done || item === undefined) return this.#sink.complete();
      if (await this.#mayTell()) await this.#deliver(item);
      else if (!this.#ended.signal.aborted) return this.#sink.fail();
    }
  }

  /** Whether an event may be told now: somebody waits for it, whose session still stands. */
  async #mayTell(): Promise<boolean> {
    await this.#turns.next();
    return !this.#ended.signal.aborted && (await this.#stillValid(this.#asked.caller)) && !this.#ended.signal.aborted;
  }

  async #deliver(item: FeedItem): Promise<void> {
    const answer = this.#runner.newAnswer(this.#asked);
    try {
      const execution = { answer, signal: this.#ended.signal };
      const result = await this.#runner.deliver(this.#runnable, item, this.#asked, execution);
      const text = textOfEvent(this.#runner, this.#runnable, result, answer, this.#asked);
      const event = typeof text === 'string' ? text : await text;
      if (this.#ended.signal.aborted) return;
      this.#place = item.position;
      this.#isDelivered = true;
      this.#sink.next(event, item.position);
      streamEventsSent.add(1);
      if (answer.bytes > UNCOUNTED_ANSWER_BYTES) await this.#sink.ready?.();
    } finally {
      answer.giveBack();
    }
  }

  /** An error at the start, or a place that is too old, is an answer; a source that went away is not: `complete` is final for clients. */
  #refuse(result: GraphqlResult, isStarted: boolean): void {
    const { code, reason } = result.errors?.[0]?.extensions ?? {};
    if (code === 'RESYNC_REQUIRED' && !isStarted) streamResumes.add(1, { 'sse.resume.outcome': 'miss' });
    // An engine that is off stays so: whoever comes back finds it so.
    const isAway = code === 'UNAVAILABLE' && reason !== ENGINE_OFF;
    if (isAway || (isStarted && MENDED_BY_RETURN.has(String(code)))) {
      this.#sink.fail();
    } else {
      this.#sink.next(JSON.stringify(result));
      this.#sink.complete();
    }
  }
}

/** Why a stream ends that had begun, without a word: its client comes back, and is told by the answer to that. */
const MENDED_BY_RETURN: ReadonlySet<string> = new Set(['INTERNAL_ERROR', 'UNAUTHORIZED']);
