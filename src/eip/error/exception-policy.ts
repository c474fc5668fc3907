import { type Exchange, failureType, type Predicate } from '../../expression/routes.js';
import { evaluated, type Outcome, type Step } from '../flow/outcome.js';
import type { ElementModel, StepModel } from '../model/route-model.js';
import { booleanOption, namesOption, refused, textOption } from '../pattern/options.js';
import type { RouteCompiler } from '../pattern/pattern.js';
import { processOf } from '../pattern/process.js';
import { causesOf } from './failures.js';
import { distanceTo, isKnownException, similarExceptions } from './java-exceptions.js';
import { askForOriginals } from './original-message.js';
import { NO_REDELIVERY, type PolicyChange, redeliveryPolicyOf } from './redelivery-policy.js';

/** An `onException`, compiled: how failures of its classes are dealt with. */
export interface ExceptionPolicy {
  readonly onWhen: Predicate | undefined;
  readonly handled: Predicate | undefined;
  readonly continued: Predicate | undefined;
  readonly retryWhile: Predicate | undefined;
  readonly redelivery: PolicyChange;
  readonly mayRedeliver: boolean;
  readonly original: Original | undefined;
  readonly onRedelivery: Step | undefined;
  readonly onExceptionOccurred: Step | undefined;
  /** Its steps. `undefined`: it has none. */
  readonly block: Step | undefined;
}

/** The part of the original message with which a failure is dealt with (`useOriginalMessage`, `useOriginalBody`). */
export type Original = 'message' | 'body';

/** An `onException` for one of its classes. */
export interface PolicyKey {
  readonly isOfRoute: boolean;
  readonly className: string;
  readonly policy: ExceptionPolicy;
}

/** What an `onException` may have in place of steps. */
const SAYS_SOMETHING = /^(handled|continued|retryWhile|redeliveryPolicy(Ref)?|useOriginal(Message|Body)|on\w+Ref)$/;

/** An `onException`, its steps without an error handler. @throws ExchangeFailure where something of it is wrong */
export function exceptionPolicy(route: RouteCompiler, model: StepModel): ExceptionPolicy {
  const predicate = (name: string) => (route.has(model, name) ? route.predicate(model, name) : undefined);
  const handled = predicate('handled');
  const continued = predicate('continued');
  if (handled !== undefined && continued !== undefined)
    throw refused(model, 'only one of handled and continued may be set');
  const own = redeliveryPolicyOf(route, model);
  const hasSteps = model.steps.length > 0;
  if (
    !hasSteps &&
    ![...Object.keys(model.options), ...Object.keys(model.expressions)].some((it) => SAYS_SOMETHING.test(it))
  )
    throw refused(model, 'is not configured: expected steps, handled, continued, retryWhile or a policy of redelivery');
  const retryWhile = predicate('retryWhile');
  return {
    onWhen: predicate('onWhen'),
    handled,
    continued,
    retryWhile,
    redelivery: own ?? (hasSteps ? (parent) => ({ ...parent, maximumRedeliveries: 0 }) : (parent) => parent),
    mayRedeliver: retryWhile !== undefined || (own?.(NO_REDELIVERY).maximumRedeliveries ?? 0) !== 0,
    original: originalOf(route, model),
    onRedelivery: beanStep(route, model, 'onRedeliveryRef'),
    onExceptionOccurred: beanStep(route, model, 'onExceptionOccurredRef'),
    block: hasSteps ? route.block(model.steps) : undefined,
  };
}

/** The classes of an `onException` or `doCatch`. @throws ExchangeFailure where there are none, or one is not known */
export function exceptionClasses(route: RouteCompiler, model: StepModel): string[] {
  const names = namesOption(route, model, 'exception');
  if (names.length === 0) throw refused(model, 'expected at least one exception');
  for (const name of names) checkException(model, name);
  return names;
}

/** @throws ExchangeFailure where no such class is known */
export function checkException(element: ElementModel, className: string): void {
  if (isKnownException(className)) return;
  const meant = similarExceptions(className).join(' or ');
  const hint = meant === '' ? 'Java classes other than well-known exceptions are not there' : `did you mean ${meant}?`;
  throw refused(element, `unknown exception ${className}: ${hint}`);
}

export function originalOf(route: RouteCompiler, model: ElementModel): Original | undefined {
  const isMessage = booleanOption(route, model, 'useOriginalMessage', false);
  const isBody = booleanOption(route, model, 'useOriginalBody', false);
  if (isMessage && isBody) throw refused(model, 'useOriginalMessage and useOriginalBody cannot both be set');
  if (isMessage || isBody) askForOriginals(route);
  if (isMessage) return 'message';
  return isBody ? 'body' : undefined;
}

/**
 * `then` with the policy for what was thrown: the one whose class is nearest to it or to one of its causes; of the same distance those of the route first, then
 * the deeper cause, then the one that was defined first. Policies whose `onWhen` does not hold count as not there.
 */
export function withPolicy(
  keys: readonly PolicyKey[],
  exchange: Exchange,
  thrown: unknown,
  then: (policy: ExceptionPolicy | undefined) => Outcome,
): Outcome {
  const candidates = candidatesOf(keys, thrown);
  const from = (at: number): Outcome => {
    const policy = candidates[at];
    if (policy?.onWhen === undefined) return then(policy);
    return evaluated(policy.onWhen(exchange), (holds) => (holds === true ? then(policy) : from(at + 1)));
  };
  return from(0);
}

function candidatesOf(keys: readonly PolicyKey[], thrown: unknown): ExceptionPolicy[] {
  const found: { readonly distance: number; readonly isOfRoute: boolean; readonly policy: ExceptionPolicy }[] = [];
  for (const cause of causesOf(thrown))
    for (const { isOfRoute, className, policy } of keys) {
      const distance = distanceTo(failureType(cause), className);
      if (distance !== undefined) found.push({ distance, isOfRoute, policy });
    }
  return found
    .sort((one, other) => one.distance - other.distance || Number(other.isOfRoute) - Number(one.isOfRoute))
    .map(({ policy }) => policy);
}

/** The bean that an option names, as a step: a function of the exchange, or something with the method `process`. `undefined`: the option was not written. */
export function beanStep(route: RouteCompiler, element: ElementModel, option: string): Step | undefined {
  const name = textOption(route, element, option);
  if (name === undefined) return undefined;
  const call = processOf(route.context.bean(name));
  if (call === undefined) throw refused(element, `${option}: there is no bean ${name} that can process an exchange`);
  return (exchange) => evaluated(call(exchange), () => undefined);
}
