import type { LogLevel } from '../component/component.js';
import type { ElementModel, Options } from '../model/route-model.js';
import { booleanOption, durationOption, numberOption, oneOf, refused, textOption } from '../pattern/options.js';
import type { RouteCompiler } from '../pattern/pattern.js';

/** How often, after how long, and with what in the log a step that failed is tried again. Times in ms. */
export interface RedeliveryPolicy {
  /** Attempts after the first one. Negative: without end. */
  readonly maximumRedeliveries: number;
  readonly redeliveryDelay: number;
  readonly useExponentialBackOff: boolean;
  readonly backOffMultiplier: number;
  /** 0 or less: there is none. */
  readonly maximumRedeliveryDelay: number;
  readonly useCollisionAvoidance: boolean;
  /** Which part of a delay may be added or taken away. */
  readonly collisionAvoidanceFactor: number;
  /** Delays by attempt, ascending, in place of all of the above: `1:1000;5:5000`. */
  readonly delayPattern: readonly { readonly from: number; readonly delay: number }[] | undefined;
  readonly allowRedeliveryWhileStopping: boolean;
  readonly retriesExhaustedLogLevel: LogLevel;
  readonly retryAttemptedLogLevel: LogLevel;
  readonly retryAttemptedLogInterval: number;
  readonly logRetryAttempted: boolean;
  readonly logHandled: boolean;
  readonly logContinued: boolean;
  readonly logExhausted: boolean;
  readonly logNewException: boolean;
}

export const NO_REDELIVERY: RedeliveryPolicy = {
  maximumRedeliveries: 0,
  redeliveryDelay: 1000,
  useExponentialBackOff: false,
  backOffMultiplier: 2,
  maximumRedeliveryDelay: 60_000,
  useCollisionAvoidance: false,
  collisionAvoidanceFactor: 0.15,
  delayPattern: undefined,
  allowRedeliveryWhileStopping: true,
  retriesExhaustedLogLevel: 'ERROR',
  retryAttemptedLogLevel: 'DEBUG',
  retryAttemptedLogInterval: 1,
  logRetryAttempted: true,
  logHandled: false,
  logContinued: false,
  logExhausted: true,
  logNewException: true,
};

/** A `redeliveryPolicy`, as a change of the policy of the error handler: where it says nothing, some options are inherited, the others are as by default. */
export type PolicyChange = (parent: RedeliveryPolicy) => RedeliveryPolicy;

const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'OFF'] as const;

/** The `redeliveryPolicy` of an element. `undefined`: it has none. @throws ExchangeFailure where an option of it is wrong */
export function redeliveryPolicyOf(route: RouteCompiler, owner: ElementModel): PolicyChange | undefined {
  const reference = textOption(route, owner, 'redeliveryPolicyRef');
  const own = owner.options.redeliveryPolicy;
  if (own === undefined && reference === undefined) return undefined;
  if (own !== undefined && reference !== undefined)
    throw refused(owner, 'redeliveryPolicy and redeliveryPolicyRef cannot be set at the same time');
  if (reference === undefined)
    return readPolicy(route, { ...owner, kind: 'redeliveryPolicy', options: own as Options });
  const bean = route.context.bean(reference);
  if (typeof bean !== 'object' || bean === null)
    throw refused(owner, `redeliveryPolicyRef: there is no bean ${reference} that is a redelivery policy`);
  const options = Object.fromEntries(bean instanceof Map ? bean : Object.entries(bean)) as Options;
  const read = readPolicy(route, { ...owner, kind: `redeliveryPolicy ${reference}`, options });
  return () => read(NO_REDELIVERY);
}

function readPolicy(route: RouteCompiler, element: ElementModel): PolicyChange {
  if (textOption(route, element, 'exchangeFormatterRef') !== undefined)
    throw refused(element, 'exchangeFormatterRef is a Java object; there is none here');
  const number = (name: string) => numberOption(route, element, name);
  const flag = (name: string) =>
    element.options[name] === undefined ? undefined : booleanOption(route, element, name, false);
  const level = (name: string) => oneOf<LogLevel>(route, element, name, LEVELS);
  const pattern = textOption(route, element, 'delayPattern');
  const inherited = defined({
    maximumRedeliveries: flag('disableRedelivery') === true ? 0 : number('maximumRedeliveries'),
    useExponentialBackOff: flag('useExponentialBackOff'),
    useCollisionAvoidance: flag('useCollisionAvoidance'),
    logHandled: flag('logHandled'),
    logContinued: flag('logContinued'),
    delayPattern: pattern === undefined ? undefined : readPattern(element, pattern),
  });
  const byDefault = defined({
    redeliveryDelay: durationOption(route, element, 'redeliveryDelay'),
    backOffMultiplier: number('backOffMultiplier'),
    maximumRedeliveryDelay: durationOption(route, element, 'maximumRedeliveryDelay'),
    collisionAvoidanceFactor: number('collisionAvoidanceFactor'),
    allowRedeliveryWhileStopping: flag('allowRedeliveryWhileStopping'),
    retriesExhaustedLogLevel: level('retriesExhaustedLogLevel'),
    retryAttemptedLogLevel: level('retryAttemptedLogLevel'),
    retryAttemptedLogInterval: number('retryAttemptedLogInterval'),
    logRetryAttempted: flag('logRetryAttempted'),
    logExhausted: flag('logExhausted'),
    logNewException: flag('logNewException'),
  });
  return (parent) => ({ ...NO_REDELIVERY, ...pick(parent, INHERITED), ...byDefault, ...inherited });
}

/** What a policy inherits where it does not say it. */
const INHERITED = [
  'maximumRedeliveries',
  'useExponentialBackOff',
  'useCollisionAvoidance',
  'logHandled',
  'logContinued',
  'delayPattern',
] as const;

const pick = <K extends keyof RedeliveryPolicy>(policy: RedeliveryPolicy, names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, policy[name]])) as Pick<RedeliveryPolicy, K>;

const defined = <T extends object>(options: T) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<{
    [K in keyof T]: Exclude<T[K], undefined>;
  }>;

const readPattern = (element: ElementModel, text: string) =>
  text.split(';').map((group) => {
    const [, from, delay] = /^\s*(\d+)\s*:\s*(\d+)\s*$/.exec(group) ?? [];
    if (from === undefined || delay === undefined)
      throw refused(element, `delayPattern: expected attempt:ms;attempt:ms, got '${text}'`);
    return { from: Number(from), delay: Number(delay) };
  });

/** How long to wait before an attempt (1: the first one again), in ms. `previous`: the delay before the attempt before, 0 where there was none. */
export function redeliveryDelay(policy: RedeliveryPolicy, previous: number, attempt: number, chance: number): number {
  const { delayPattern, useExponentialBackOff, backOffMultiplier, maximumRedeliveryDelay } = policy;
  if (delayPattern !== undefined) {
    const later = delayPattern.findIndex(({ from }) => from > attempt);
    return delayPattern[(later === -1 ? delayPattern.length : later) - 1]?.delay ?? 0;
  }
  let delay = previous === 0 ? policy.redeliveryDelay : previous;
  if (previous !== 0 && useExponentialBackOff && backOffMultiplier > 1)
    delay = Math.round(backOffMultiplier * previous);
  if (policy.useCollisionAvoidance)
    delay += Math.trunc(delay * policy.collisionAvoidanceFactor * (chance < 0.5 ? 1 : -1));
  return maximumRedeliveryDelay > 0 ? Math.min(delay, maximumRedeliveryDelay) : delay;
}
