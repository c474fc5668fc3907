import { Asked, type Exchange, ExchangeFailure } from '../../expression/routes.js';
import { evaluated, type Outcome, Waiting } from '../flow/outcome.js';
import { booleanOption, durationOption, oneOf, refused } from './options.js';
import type { Pattern } from './pattern.js';
import { integerOf, textOf } from './value.js';

/**
 * Lets so many exchanges go on within `timePeriodMillis` (1000), or at once (`mode: ConcurrentRequests`); its expression says how many, its correlationExpression for
 * which. The others wait, in the order they came, or are refused (`rejectExecution`).
 */
export const throttle: Pattern = (step, route) => {
  const most = route.expression(step);
  const correlation = route.has(step, 'correlationExpression')
    ? route.expression(step, 'correlationExpression')
    : undefined;
  const period = durationOption(route, step, 'timePeriodMillis') ?? 1000;
  if (period <= 0) throw refused(step, `TimePeriodMillis should be a positive number, was: ${period}`);
  const isConcurrent = oneOf(route, step, 'mode', ['TotalRequests', 'ConcurrentRequests']) === 'ConcurrentRequests';
  const options: ThrottleOptions = {
    period,
    rejects: booleanOption(route, step, 'rejectExecution', false),
    frees: booleanOption(route, step, 'asyncDelayed', false),
  };
  const throttles = new Map<string, Throttle>();
  const enter = (exchange: Exchange, key: string, value: unknown) => {
    const throttle = throttles.get(key) ?? (isConcurrent ? new AtOnce(options) : new WithinPeriod(options));
    if (!throttles.has(key)) keep(throttles, key, throttle, exchange.context.now());
    return throttle.enter(exchange, limitOf(value, throttle));
  };
  const keyed = (exchange: Exchange, key: string) => {
    const value = most(exchange);
    return value instanceof Asked ? evaluated(value, (it) => enter(exchange, key, it)) : enter(exchange, key, value);
  };
  return (exchange) => {
    if (correlation === undefined) return keyed(exchange, '');
    return evaluated(correlation(exchange), (key) => keyed(exchange, textOf(key) ?? ''));
  };
};

interface ThrottleOptions {
  readonly period: number;
  readonly rejects: boolean;
  /** Whoever took an exchange that waits may take the next one meanwhile. */
  readonly frees: boolean;
}

interface Throttle {
  /** How many it let through last; `undefined`: it was never asked. */
  limit: number | undefined;
  isIdle(now: number): boolean;
  enter(exchange: Exchange, most: number): Outcome;
}

/** How many keys are kept before those that nobody used lately are forgotten. */
const MANY = 1000;

function keep(throttles: Map<string, Throttle>, key: string, throttle: Throttle, now: number): void {
  if (throttles.size >= MANY) for (const [it, one] of throttles) if (one.isIdle(now)) throttles.delete(it);
  throttles.set(key, throttle);
}

/** Where the expression gives nothing, the limit stays as it was. */
function limitOf(value: unknown, throttle: Throttle): number {
  const limit = value === null || value === undefined ? throttle.limit : integerOf(value, 'java.lang.Integer');
  if (limit === undefined)
    throw new ExchangeFailure(
      'org.apache.camel.RuntimeExchangeException',
      'The max requests expression was evaluated as null',
    );
  if (limit < 0)
    throw new ExchangeFailure(
      'java.lang.IllegalStateException',
      `The maximumRequestsPerPeriod must be a positive number, was: ${limit}`,
    );
  throttle.limit = limit;
  return limit;
}

const refusedBy = (most: number, within: string) =>
  new ExchangeFailure(
    'org.apache.camel.processor.ThrottlerRejectedExecutionException',
    `Exceeded the max throttle rate of ${most}${within}`,
  );

/** So many within any period of that length. */
class WithinPeriod implements Throttle {
  limit: number | undefined;
  readonly #options: ThrottleOptions;
  /** When those of the last period went on, or will: in order. */
  #instants: number[] = [];

  constructor(options: ThrottleOptions) {
    this.#options = options;
  }

  isIdle(now: number): boolean {
    return (this.#instants.at(-1) ?? 0) + this.#options.period <= now;
  }

  enter({ context }: Exchange, most: number): Outcome {
    const now = context.now();
    const { period, rejects, frees } = this.#options;
    while ((this.#instants[0] ?? now) + period <= now) this.#instants.shift();
    const before = most === 0 ? now : this.#instants[this.#instants.length - most];
    const at = before === undefined ? now : Math.max(now, before + period);
    if (at > now && rejects) throw refusedBy(most, ` within ${period}ms`);
    this.#instants.push(at);
    return at <= now ? undefined : new Waiting({ kind: 'instant', at, frees }, () => undefined);
  }
}

/** So many at once: an exchange counts until it is through with everything. */
class AtOnce implements Throttle {
  limit: number | undefined;
  readonly #options: ThrottleOptions;
  readonly #waiting: (() => void)[] = [];
  #count = 0;

  constructor(options: ThrottleOptions) {
    this.#options = options;
  }

  isIdle(): boolean {
    return this.#count === 0 && this.#waiting.length === 0;
  }

  enter(exchange: Exchange, most: number): Outcome {
    const { rejects, frees } = this.#options;
    if (this.#count < most && this.#waiting.length === 0) return this.#enterNow(exchange);
    if (rejects) throw refusedBy(most, '');
    const arm = (wake: () => void) => void this.#waiting.push(wake);
    return new Waiting({ kind: 'signal', of: 'throttle', arm, frees }, () => this.#enterNow(exchange));
  }

  #enterNow(exchange: Exchange): undefined {
    this.#count++;
    exchange.whenEnded(() => {
      this.#count--;
      if (this.#count < (this.limit ?? 0)) this.#waiting.shift()?.();
    });
    return undefined;
  }
}
