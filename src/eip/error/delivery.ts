import { type Exchange, ExchangeFailure, type Headers, type Predicate } from '../../expression/routes.js';
import {
  after,
  afterTurn,
  attempt,
  evaluated,
  type Outcome,
  type Step,
  untilInstant,
  untilSignal,
} from '../flow/outcome.js';
import type { ErrorHandling } from './error-handling.js';
import { type ExceptionPolicy, type Original, withPolicy } from './exception-policy.js';
import { isCircular, underFallback } from './failure-block.js';
import { FailureLog } from './failure-log.js';
import { type RedeliveryPolicy, redeliveryDelay } from './redelivery-policy.js';

/** A message as it was before a step. */
export interface MessageCopy {
  readonly body: unknown;
  readonly headers: Headers;
}

const REDELIVERED = 'CamelRedelivered';
const COUNTER = 'CamelRedeliveryCounter';
const MAX_COUNTER = 'CamelRedeliveryMaxCounter';

/** Attempts without a delay between two turns of others: they grow the stack, and may have no end. */
const TURN_EVERY = 16;

/** One step that failed for one exchange: it is tried again as long as its policy wants, then given to what handles it, or thrown for good. */
export class Delivery {
  readonly #exchange: Exchange;
  readonly #step: Step;
  readonly #stepId: string;
  readonly #handling: ErrorHandling;
  readonly #message: MessageCopy | undefined;
  readonly #log: FailureLog;
  /** What the header says, which other handlers may have counted before. */
  #counter = 0;
  #attempts = 0;
  #delay = 0;
  #redelivery: RedeliveryPolicy;
  #retryWhile: Predicate | undefined;
  #handled: Predicate | undefined;
  #continued: Predicate | undefined;
  #original: Original | undefined;
  #block: Step | undefined;
  #onRedelivery: Step | undefined;
  #onExceptionOccurred: Step | undefined;

  /** `message`: as it was before the step, where that may be tried again. */
  constructor(
    exchange: Exchange,
    step: Step,
    stepId: string,
    handling: ErrorHandling,
    message: MessageCopy | undefined,
  ) {
    this.#exchange = exchange;
    this.#step = step;
    this.#stepId = stepId;
    this.#handling = handling;
    this.#message = message;
    this.#log = new FailureLog(exchange, handling);
    this.#redelivery = handling.redelivery;
    this.#retryWhile = handling.retryWhile;
    this.#original = handling.original;
    this.#onRedelivery = handling.onRedelivery;
    this.#onExceptionOccurred = handling.onExceptionOccurred;
  }

  /** What is done about it. @throws what was thrown, where nothing can be done; another handler does not try, then */
  failed(thrown: unknown): Outcome {
    const exchange = this.#exchange;
    if (exchange.isExhausted) throw thrown;
    exchange.properties.set('CamelExceptionCaught', thrown);
    exchange.properties.set('CamelFailureRouteId', exchange.routeId);
    return withPolicy(this.#handling.keys, exchange, thrown, (policy) => {
      if (policy !== undefined) this.#use(policy);
      return this.#again(thrown);
    });
  }

  #use(policy: ExceptionPolicy): void {
    this.#redelivery = policy.redelivery(this.#redelivery);
    this.#handled = policy.handled;
    this.#continued = policy.continued;
    this.#retryWhile = policy.retryWhile;
    this.#original = policy.original;
    this.#block = policy.block ?? this.#block;
    this.#onRedelivery = policy.onRedelivery ?? this.#onRedelivery;
    this.#onExceptionOccurred = policy.onExceptionOccurred ?? this.#onExceptionOccurred;
  }

  #again(thrown: unknown): Outcome {
    const exchange = this.#exchange;
    if (!this.#handling.isPlain) {
      this.#log.attempted(this.#redelivery, this.#counter, thrown);
      this.#count();
    }
    return after(this.#occurred(), () => {
      if (exchange.rollback !== undefined || this.#message === undefined) return this.#exhausted(thrown);
      const { maximumRedeliveries } = this.#redelivery;
      const more = this.#retryWhile?.(exchange) ?? (maximumRedeliveries < 0 || this.#counter <= maximumRedeliveries);
      return evaluated(more, (goesOn) => (goesOn === true ? this.#wait(thrown) : this.#exhausted(thrown)));
    });
  }

  /** What `onExceptionOccurred` throws is logged, and no more. */
  #occurred(): Outcome {
    const step = this.#onExceptionOccurred;
    if (step === undefined) return undefined;
    return attempt(
      () => step(this.#exchange),
      (thrown) => this.#log.ignored('onExceptionOccurred', thrown),
    );
  }

  #count(): void {
    const { headers } = this.#exchange;
    const { maximumRedeliveries } = this.#redelivery;
    this.#counter = Number(headers.get(COUNTER) ?? 0) + 1;
    headers.set(COUNTER, this.#counter);
    headers.set(REDELIVERED, true);
    if (maximumRedeliveries > 0) headers.set(MAX_COUNTER, maximumRedeliveries);
  }

  #wait(thrown: unknown): Outcome {
    const exchange = this.#exchange;
    const { context } = exchange;
    this.#attempts++;
    this.#handling.context.redelivered?.(exchange.routeId);
    const given = exchange.headers.get('CamelRedeliveryDelay');
    this.#delay =
      given === undefined || given === null
        ? redeliveryDelay(this.#redelivery, this.#delay, this.#counter, context.random())
        : Number(given);
    const { allowRedeliveryWhileStopping } = this.#redelivery;
    const { stopping } = this.#handling;
    if (!allowRedeliveryWhileStopping && stopping.isStopping) return this.#exhausted(thrown);
    if (this.#delay <= 0)
      return this.#attempts % TURN_EVERY === 0 ? afterTurn(() => this.#redeliver()) : this.#redeliver();
    const at = context.now() + this.#delay;
    return allowRedeliveryWhileStopping ? untilInstant(at, () => this.#redeliver()) : this.#waitUntilStopping(at);
  }

  /** Until an instant, or until the route is to stop: it is given up then. */
  #waitUntilStopping(at: number): Outcome {
    const { stopping, context } = this.#handling;
    const arm = (wake: (isOver: boolean) => void) => {
      const forget = stopping.whenStopping(() => {
        cancel();
        wake(false);
      });
      const cancel = context.flow.at(at, () => {
        forget();
        wake(true);
      });
    };
    return untilSignal('redelivery', arm, (isOver) => {
      if (isOver === true) return this.#redeliver();
      const type = 'java.util.concurrent.RejectedExecutionException';
      return this.#exhausted(new ExchangeFailure(type, 'Redelivery not allowed while stopping'));
    });
  }

  #redeliver(): Outcome {
    const exchange = this.#exchange;
    const { body, headers } = this.#message as MessageCopy;
    const kept = [COUNTER, MAX_COUNTER, REDELIVERED].map((name) => [name, exchange.headers.get(name)] as const);
    exchange.body = body;
    exchange.headers = headers.copy();
    exchange.rollback = undefined;
    for (const [name, value] of kept) if (value !== undefined) exchange.headers.set(name, value);
    const run = () => {
      if (exchange.isStopped) return undefined;
      exchange.stepId = this.#stepId;
      return this.#step(exchange);
    };
    const prepare = this.#onRedelivery;
    return attempt(
      () => (prepare === undefined ? run() : after(prepare(exchange), run)),
      (thrown) => this.failed(thrown),
    );
  }

  /** Whether it is handled, or goes on behind the step, is asked without an exception on the exchange. */
  #exhausted(thrown: unknown): Outcome {
    const exchange = this.#exchange;
    return evaluated(this.#handled?.(exchange) ?? false, (handled) =>
      evaluated(this.#continued?.(exchange) ?? false, (continued) =>
        this.#deliver(thrown, handled === true, continued === true),
      ),
    );
  }

  #deliver(thrown: unknown, isHandled: boolean, isContinued: boolean): Outcome {
    const exchange = this.#exchange;
    const { deadLetter, isPlain } = this.#handling;
    const isDeadLetter = this.#block === undefined && deadLetter !== undefined;
    const target = isContinued && isDeadLetter ? undefined : (this.#block ?? deadLetter?.send);
    if (isDeadLetter || isHandled || isContinued) {
      for (const name of [REDELIVERED, COUNTER, MAX_COUNTER]) exchange.headers.delete(name);
      exchange.rollback = undefined;
    } else if (!isPlain) this.#uncount();
    exchange.properties.set('CamelFailureEndpoint', exchange.toEndpoint ?? null);
    if (target === undefined) return this.#send(thrown, undefined, { isHandled, isContinued, isDeadLetter });
    this.#takeOriginal();
    if (!isCircular(exchange)) return this.#send(thrown, target, { isHandled, isContinued, isDeadLetter });
    this.#log.circular();
    return this.#giveUp(thrown);
  }

  #send(thrown: unknown, target: Step | undefined, how: Delivered): Outcome {
    const exchange = this.#exchange;
    let failure: Failure | undefined;
    const failed = (another: unknown) => {
      failure ??= { thrown: another };
      return undefined;
    };
    const prepared = attempt(() => this.#handling.onPrepareFailure?.(exchange), failed);
    const sent = after(prepared, () =>
      target === undefined ? undefined : attempt(() => underFallback(exchange, target), failed),
    );
    return after(sent, () => this.#ended(thrown, failure, how));
  }

  #ended(thrown: unknown, failure: Failure | undefined, how: Delivered): Outcome {
    const exchange = this.#exchange;
    const { deadLetter } = this.#handling;
    if (failure !== undefined) {
      this.#log.failedAgain(thrown, failure.thrown, how.isDeadLetter);
      exchange.properties.set('CamelExceptionCaught', failure.thrown);
      exchange.isExhausted = false;
    } else if (exchange.isHandled) return undefined; // by a route that was called
    this.#log.exhausted(this.#redelivery, this.#counter, thrown, {
      ...how,
      uri: deadLetter?.uri,
      hasBlock: this.#block !== undefined,
    });
    if (failure !== undefined && !how.isDeadLetter) return this.#giveUp(failure.thrown);
    if (how.isContinued) return undefined;
    if (how.isHandled) return this.#handledNow();
    if (!how.isDeadLetter) return this.#giveUp(thrown);
    if (failure === undefined) return this.#handledNow();
    const isHandled = deadLetter?.handlesNewFailure === true;
    this.#log.newFailure(this.#redelivery, failure.thrown, deadLetter?.uri ?? '', isHandled);
    return isHandled ? this.#handledNow() : this.#giveUp(failure.thrown);
  }

  /** No step follows, neither here nor in routes that called this one. */
  #handledNow(): undefined {
    this.#exchange.isHandled = true;
    this.#exchange.isStopped = true;
  }

  #giveUp(thrown: unknown): never {
    this.#exchange.isExhausted = true;
    throw thrown;
  }

  /** It was counted as another attempt, which there was not. */
  #uncount(): void {
    const { headers } = this.#exchange;
    const attempts = Math.max(0, Number(headers.get(COUNTER) ?? 0) - 1);
    headers.set(COUNTER, attempts);
    headers.set(REDELIVERED, attempts > 0);
  }

  #takeOriginal(): void {
    const { original } = this.#exchange;
    if (original === undefined || this.#original === undefined) return;
    this.#exchange.body = original.body;
    if (this.#original === 'message') this.#exchange.headers = original.headers.copy();
  }
}

interface Failure {
  readonly thrown: unknown;
}

interface Delivered {
  readonly isHandled: boolean;
  readonly isContinued: boolean;
  readonly isDeadLetter: boolean;
}
