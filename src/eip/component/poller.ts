import { ExchangeFailure, inZone, parseCycle } from '../../expression/routes.js';
import { LEVELS } from './common-options.js';
import type { ComponentContext, Consumer, EndpointAddress, Intake, OptionKind } from './component.js';
import { type Rhythm, Ticker } from './ticker.js';

/** Options that every polling consumer of Camel's takes. Times are in `timeUnit`, where they are numbers. */
export const POLLER_OPTIONS = {
  initialDelay: 'duration',
  delay: 'duration',
  timeUnit: ['NANOSECONDS', 'MICROSECONDS', 'MILLISECONDS', 'SECONDS', 'MINUTES', 'HOURS', 'DAYS'],
  useFixedDelay: 'boolean',
  repeatCount: 'number',
  greedy: 'boolean',
  sendEmptyMessageWhenIdle: 'boolean',
  backoffMultiplier: 'number',
  backoffIdleThreshold: 'number',
  backoffErrorThreshold: 'number',
  startScheduler: 'boolean',
  runLoggingLevel: LEVELS,
  scheduler: ['none', 'quartz'],
  'scheduler.*': 'text',
  pollStrategy: 'refused',
  scheduledExecutorService: 'refused',
} as const satisfies Record<string, OptionKind>;

type Options = EndpointAddress['options'];
/** Asks once. `done` is called once: with how many came, or with what failed. */
export type Poll = (done: (came: number | { readonly failed: unknown }) => void) => void;

const UNITS: Record<string, number> = {
  ...{ NANOSECONDS: 1e-6, MICROSECONDS: 1e-3, MILLISECONDS: 1, SECONDS: 1000 },
  ...{ MINUTES: 60_000, HOURS: 3_600_000, DAYS: 86_400_000 },
};

/** Asks again and again, one time after the other. What fails is the consumer's last error, and it goes on. */
export function poller(options: Options, context: ComponentContext, intake: Intake, poll: Poll): Consumer {
  const backoff = new Backoff(options);
  const repeatCount = Number(options.repeatCount ?? 0);
  const rhythm = pollRhythm(options, context);
  let count = 0;
  let isGreedy = false;
  const limited: Rhythm = (previous) => {
    if (repeatCount > 0 && count >= repeatCount) return undefined;
    return isGreedy ? context.now() : rhythm(previous);
  };
  const ticker = new Ticker(context, limited, (done) => {
    if (backoff.isOver()) return done();
    count++;
    poll((came) => {
      if (typeof came !== 'number') intake.failed(came.failed);
      isGreedy = options.greedy === true && typeof came === 'number' && came > 0;
      backoff.polled(came);
      if (came === 0 && options.sendEmptyMessageWhenIdle === true) intake.process(intake.exchange({}), done);
      else done();
    });
  });
  if (options.startScheduler !== false) return ticker;
  return { start: () => {}, stop: () => ticker.stop() };
}

/** When it asks: after a first delay, and then by a delay from the end of the time before, or from its beginning; or by cron. */
function pollRhythm(options: Options, context: ComponentContext): Rhythm {
  if (options.scheduler === 'quartz')
    return cronRhythm(String(options['scheduler.cron'] ?? ''), context, zoneIn(options['scheduler.timeZone']));
  const unit = UNITS[String(options.timeUnit ?? 'MILLISECONDS')] ?? 1;
  const [initialDelay, delay] = [Number(options.initialDelay ?? 1000) * unit, Number(options.delay ?? 500) * unit];
  if (delay <= 0) throw wrong(`expected delay to be positive, got ${delay}`);
  return (previous) => {
    if (previous === undefined) return context.now() + initialDelay;
    return (options.useFixedDelay === false ? previous.due : previous.ended) + delay;
  };
}

/** By an expression of Quartz' cron, in the zone (default UTC). What was missed is not made up for. @throws ExchangeFailure where it is none */
export function cronRhythm(text: string, context: ComponentContext, zone?: string): Rhythm {
  if (!/^\S+(\s+\S+){5,6}$/.test(text.trim())) throw wrong(`expected six or seven fields of cron, got '${text}'`);
  try {
    const { nextAfter } = parseCycle(inZone(text.trim(), zone));
    return () => nextAfter(context.now()) ?? undefined;
  } catch (thrown) {
    throw wrong(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

/** The zone that an option names. */
export const zoneIn = (option: Options[string] | undefined): string | undefined =>
  option === undefined ? undefined : String(option);

/** Leaves out some times after it has come to nothing, or failed, often enough. */
class Backoff {
  readonly #multiplier: number;
  readonly #idleThreshold: number;
  readonly #errorThreshold: number;
  #idle = 0;
  #errors = 0;
  #left = 0;

  constructor({ backoffMultiplier = 0, backoffIdleThreshold = 0, backoffErrorThreshold = 0 }: Options) {
    this.#multiplier = Number(backoffMultiplier);
    this.#idleThreshold = Number(backoffIdleThreshold) || Number.POSITIVE_INFINITY;
    this.#errorThreshold = Number(backoffErrorThreshold) || Number.POSITIVE_INFINITY;
    if (this.#multiplier > 0 && this.#idleThreshold + this.#errorThreshold === Number.POSITIVE_INFINITY * 2) {
      const are = Number.isFinite(this.#idleThreshold) || Number.isFinite(this.#errorThreshold);
      if (!are)
        throw wrong(
          'backoffIdleThreshold and/or backoffErrorThreshold must be configured to a positive value when using backoffMultiplier',
        );
    }
  }

  /** Whether this time is left out. */
  isOver(): boolean {
    if (this.#multiplier <= 0 || (this.#idle < this.#idleThreshold && this.#errors < this.#errorThreshold))
      return false;
    if (++this.#left < this.#multiplier) return true;
    this.#idle = this.#errors = this.#left = 0;
    return false;
  }

  polled(came: number | { readonly failed: unknown }): void {
    const isFailed = typeof came !== 'number';
    this.#errors = isFailed ? this.#errors + 1 : 0;
    this.#idle = came === 0 ? this.#idle + 1 : 0;
  }
}

const wrong = (why: string) => new ExchangeFailure('java.lang.IllegalArgumentException', why);
