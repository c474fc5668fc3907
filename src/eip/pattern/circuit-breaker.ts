import { type Exchange, ExchangeFailure } from '../../expression/routes.js';
import { Breaker, type BreakerOptions } from '../error/breaker.js';
import { Bulkhead } from '../error/bulkhead.js';
import { checkException } from '../error/exception-policy.js';
import { isCaught } from '../error/failures.js';
import type { Flow } from '../flow/flow.js';
import { after, type Outcome, type Step, untilSignal } from '../flow/outcome.js';
import type { ElementModel, Options, StepModel } from '../model/route-model.js';
import { correlatedCopy, taken, takeResult } from './branch.js';
import { booleanOption, namesOption, numberOption, oneOf, refused, textOption } from './options.js';
import type { Pattern, RouteCompiler } from './pattern.js';

const CALL_NOT_PERMITTED = 'io.github.resilience4j.circuitbreaker.CallNotPermittedException';
const TIMEOUT = 'java.util.concurrent.TimeoutException';

/** Options of a circuit breaker, beside its steps. Times in ms. */
interface CircuitBreakerOptions {
  readonly breaker: BreakerOptions;
  /** `undefined`: it waits for its steps as long as they take. */
  readonly timeout: number | undefined;
  readonly isCancelled: boolean;
  readonly bulkhead: { readonly calls: number; readonly maxWait: number } | undefined;
  /** Classes that count as failures; none: all do. */
  readonly recorded: readonly string[];
  /** Classes that count as if nothing had been. */
  readonly ignored: readonly string[];
  readonly throwsWhenOpen: boolean;
}

/**
 * Its steps with a copy of the exchange, as long as that goes well; else, and while too many calls failed of late, those of `onFallback`, with the exchange as it
 * came (Circuit Breaker, by the rules of Resilience4j). Within, the route's error handler is off. It counts for this version of its route, in memory.
 */
export const circuitBreaker: Pattern = (step, route) => {
  const options = circuitBreakerOptions(route, step);
  const inside = route.unguarded();
  const fallback = step.parts.onFallback?.[0];
  if (fallback !== undefined && booleanOption(route, fallback, 'fallbackViaNetwork', false))
    throw refused(fallback, 'fallbackViaNetwork is not supported by circuit breakers of Resilience4j');
  const instead = fallback === undefined ? undefined : inside.block(fallback.steps);
  const circuit = new Circuit(step.id, inside.block(step.steps), instead, options, route.flow);
  return (exchange) => circuit.process(exchange);
};

class Circuit {
  readonly #name: string;
  readonly #block: Step;
  readonly #fallback: Step | undefined;
  readonly #options: CircuitBreakerOptions;
  readonly #flow: Flow;
  readonly #breaker: Breaker;
  readonly #bulkhead: Bulkhead | undefined;

  constructor(name: string, block: Step, fallback: Step | undefined, options: CircuitBreakerOptions, flow: Flow) {
    this.#name = name;
    this.#block = block;
    this.#fallback = fallback;
    this.#options = options;
    this.#flow = flow;
    this.#breaker = new Breaker(options.breaker);
    const { bulkhead } = options;
    this.#bulkhead = bulkhead && new Bulkhead(name, bulkhead.calls, bulkhead.maxWait, flow);
  }

  process(exchange: Exchange): Outcome {
    const began = exchange.context.now();
    if (!this.#breaker.permits(began)) return this.#failed(exchange, this.#notPermitted());
    const copy = correlatedCopy(exchange);
    return after(this.#called(copy), () => this.#through(exchange, copy, began));
  }

  /** The steps, within the time and the number of calls that are allowed. What fails is the copy's exception. */
  #called(copy: Exchange): Outcome {
    const { timeout } = this.#options;
    const block: Step = timeout === undefined ? this.#block : (it) => this.#within(it, timeout);
    const bulkhead = this.#bulkhead;
    if (bulkhead === undefined) return taken(copy, block);
    return taken(copy, (it) =>
      bulkhead.enter(it.context.now(), () =>
        after(taken(it, block), () => {
          bulkhead.leave();
          return undefined;
        }),
      ),
    );
  }

  /** The steps run by themselves: when the time is over, the circuit goes on without them. */
  #within(copy: Exchange, timeout: number): Outcome {
    const run = correlatedCopy(copy);
    const arm = (wake: (thrown?: unknown) => void) => {
      const giveUp = this.#flow.at(copy.context.now() + timeout, () => {
        if (this.#options.isCancelled) run.isStopped = true;
        const message = `TimeLimiter '${this.#name}' recorded a timeout exception.`;
        wake(new ExchangeFailure(TIMEOUT, message));
      });
      this.#flow.start(run, this.#block, (thrown) => {
        giveUp();
        wake(thrown);
      });
    };
    return untilSignal(`circuit breaker ${this.#name}`, arm, (thrown) => {
      if (thrown !== undefined) throw thrown;
      return takeResult(copy, run);
    });
  }

  #through(exchange: Exchange, copy: Exchange, began: number): Outcome {
    const { exception: thrown } = copy;
    const now = exchange.context.now();
    if (thrown === undefined) {
      this.#breaker.ended(began, now, false);
      const done = takeResult(exchange, copy);
      this.#tell(exchange, { SuccessfulExecution: true, ResponseFromFallback: false });
      return done;
    }
    const { recorded, ignored } = this.#options;
    if (isCaught(thrown, ignored)) {
      this.#breaker.ignored();
      return this.#tell(exchange, { ...FAILED, ResponseShortCircuited: false, ResponseIgnored: true });
    }
    const isFailed = recorded.length === 0 || isCaught(thrown, recorded);
    this.#breaker.ended(began, now, isFailed);
    if (isFailed) return this.#failed(exchange, thrown);
    return this.#tell(exchange, {
      SuccessfulExecution: true,
      ResponseFromFallback: false,
      ResponseShortCircuited: false,
    });
  }

  #failed(exchange: Exchange, thrown: unknown): Outcome {
    const { properties } = exchange;
    if (this.#fallback === undefined) return this.#refused(exchange, thrown);
    this.#tell(exchange, { SuccessfulExecution: false, ResponseFromFallback: true, ResponseShortCircuited: true });
    if (!properties.has('CamelFailureEndpoint')) properties.set('CamelFailureEndpoint', exchange.toEndpoint ?? null);
    if (failureOf(thrown) === CALL_NOT_PERMITTED) properties.delete('CamelExceptionCaught');
    else properties.set('CamelExceptionCaught', thrown);
    exchange.isExhausted = false;
    return this.#fallback(exchange);
  }

  /** Without a fallback a failure is thrown; a call that was not let through goes on, unless it is to fail. */
  #refused(exchange: Exchange, thrown: unknown): Outcome {
    const type = failureOf(thrown);
    const isTimeout = type === TIMEOUT;
    this.#tell(exchange, {
      ...FAILED,
      ResponseShortCircuited: !isTimeout,
      ...(isTimeout ? { ResponseTimedOut: true } : { ResponseRejected: true }),
    });
    if (type === CALL_NOT_PERMITTED && !this.#options.throwsWhenOpen) return undefined;
    exchange.isExhausted = false;
    throw thrown;
  }

  #tell(exchange: Exchange, properties: Readonly<Record<string, boolean>>): undefined {
    exchange.properties.set('CamelCircuitBreakerState', this.#breaker.state);
    for (const [name, value] of Object.entries(properties))
      exchange.properties.set(`CamelCircuitBreaker${name}`, value);
  }

  #notPermitted(): ExchangeFailure {
    const message = `CircuitBreaker '${this.#name}' is ${this.#breaker.state} and does not permit further calls`;
    return new ExchangeFailure(CALL_NOT_PERMITTED, message);
  }
}

const FAILED = { SuccessfulExecution: false, ResponseFromFallback: false };
const failureOf = (thrown: unknown) => (thrown instanceof ExchangeFailure ? thrown.type : undefined);

function circuitBreakerOptions(route: RouteCompiler, step: StepModel): CircuitBreakerOptions {
  if (step.options.faultToleranceConfiguration !== undefined)
    throw refused(step, 'faultToleranceConfiguration is not there; use resilience4jConfiguration');
  const element = configurationOf(route, step);
  const number = (name: string, byDefault: number) => numberOption(route, element, name) ?? byDefault;
  const flag = (name: string, byDefault: boolean) => booleanOption(route, element, name, byDefault);
  const isTimeBased =
    oneOf(route, element, 'slidingWindowType', ['COUNT_BASED', 'TIME_BASED'] as const) === 'TIME_BASED';
  return {
    breaker: {
      failureRateThreshold: number('failureRateThreshold', 50),
      slowCallRateThreshold: number('slowCallRateThreshold', 100),
      slowCallDuration: number('slowCallDurationThreshold', 60) * 1000,
      slidingWindowSize:
        positive(element, 'slidingWindowSize', number('slidingWindowSize', 100)) * (isTimeBased ? 1000 : 1),
      isTimeBased,
      minimumNumberOfCalls: positive(element, 'minimumNumberOfCalls', number('minimumNumberOfCalls', 100)),
      permittedNumberOfCallsInHalfOpenState: positive(
        element,
        'permittedNumberOfCallsInHalfOpenState',
        number('permittedNumberOfCallsInHalfOpenState', 10),
      ),
      waitDurationInOpenState: number('waitDurationInOpenState', 60) * 1000,
    },
    timeout: flag('timeoutEnabled', false) ? number('timeoutDuration', 1000) : undefined,
    isCancelled: flag('timeoutCancelRunningFuture', true),
    bulkhead: flag('bulkheadEnabled', false)
      ? { calls: number('bulkheadMaxConcurrentCalls', 25), maxWait: number('bulkheadMaxWaitDuration', 0) }
      : undefined,
    recorded: classesOf(route, element, 'recordException'),
    ignored: classesOf(route, element, 'ignoreException'),
    throwsWhenOpen: flag('throwExceptionWhenHalfOpenOrOpenState', false),
  };
}

function configurationOf(route: RouteCompiler, step: StepModel): ElementModel {
  const element: ElementModel = {
    kind: 'resilience4jConfiguration',
    at: step.at,
    options: (step.options.resilience4jConfiguration ?? {}) as Options,
    expressions: {},
  };
  for (const name of ['circuitBreaker', 'config', 'timeoutExecutorService'])
    if (textOption(route, element, name) !== undefined)
      throw refused(element, `${name} is a Java object; there is none here`);
  if (textOption(route, step, 'configuration') !== undefined)
    throw refused(step, 'configuration is a Java object; there is none here: use resilience4jConfiguration');
  return element;
}

function classesOf(route: RouteCompiler, element: ElementModel, name: string): string[] {
  const names = namesOption(route, element, name);
  for (const className of names) checkException(element, className);
  return names;
}

function positive(element: ElementModel, name: string, value: number): number {
  if (Number.isInteger(value) && value > 0) return value;
  throw refused(element, `expected ${name} to be a whole number above 0, got ${value}`);
}
