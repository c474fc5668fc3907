import type { LogLevel } from '../component/component.js';
import { type Step, whenThrough } from '../flow/outcome.js';
import type { ElementModel } from '../model/route-model.js';
import { DefinedBean } from '../pattern/defined-bean.js';
import { booleanOption, oneOf, refused, requiredText, textOption } from '../pattern/options.js';
import type { RouteCompiler } from '../pattern/pattern.js';
import { errorHandlerFor, type RouteScopes, scoped } from '../scoped/scopes.js';
import type { DeadLetter, ErrorHandling } from './error-handling.js';
import { beanStep, exceptionClasses, exceptionPolicy, originalOf, type PolicyKey } from './exception-policy.js';
import { NO_REDELIVERY, redeliveryPolicyOf } from './redelivery-policy.js';
import { stoppingOf } from './stopping.js';

const DEFAULT = 'defaultErrorHandler';
const DEAD_LETTER = 'deadLetterChannel';
const LOGGERS = 'org.apache.camel.processor.errorhandler';
const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'OFF'] as const;

/**
 * Compiles the error handling of a route. `plain`: the route where no failure is dealt with, for the steps of `onException`. `undefined`: nothing (`noErrorHandler`).
 * @throws ExchangeFailure where something is defined wrong
 */
export function errorHandlingOf(plain: RouteCompiler, scopes: RouteScopes): ErrorHandling | undefined {
  const written = errorHandlerFor(plain, scopes) ?? { kind: DEFAULT, at: plain.model.at, options: {}, expressions: {} };
  const element = written.kind === 'refErrorHandler' ? referred(plain, written) : written;
  const keys = policyKeys(plain, scopes);
  if (element.kind === 'noErrorHandler') return undefined;
  checkKind(plain, element);
  const redelivery = redeliveryPolicyOf(plain, element)?.(NO_REDELIVERY) ?? NO_REDELIVERY;
  const retryWhile = predicateBean(plain, element);
  const deadLetter = element.kind === DEAD_LETTER ? deadLetterOf(plain, element) : undefined;
  const onPrepareFailure = beanStep(plain, element, 'onPrepareFailureRef');
  const mayRedeliver =
    redelivery.maximumRedeliveries !== 0 || retryWhile !== undefined || keys.some(({ policy }) => policy.mayRedeliver);
  const isPlain = [deadLetter, onPrepareFailure, keys[0]].every((it) => it === undefined) && !mayRedeliver;
  const logger = element.kind === DEAD_LETTER ? 'DeadLetterChannel' : 'DefaultErrorHandler';
  return {
    ...{ context: plain.context, keys, redelivery, mayRedeliver, isPlain, retryWhile, deadLetter, onPrepareFailure },
    stopping: stoppingOf(plain),
    original: originalOf(plain, element),
    onRedelivery: beanStep(plain, element, 'onRedeliveryRef'),
    onExceptionOccurred: beanStep(plain, element, 'onExceptionOccurredRef'),
    logName: textOption(plain, element, 'logName') ?? `${LOGGERS}.${logger}`,
    level: oneOf<LogLevel>(plain, element, 'level', LEVELS) ?? 'ERROR',
  };
}

/** The error handler that a bean is. */
function referred(route: RouteCompiler, element: ElementModel): ElementModel {
  const name = requiredText(route, element, 'ref');
  const bean = route.context.bean(name);
  if (bean instanceof DefinedBean && bean.of === 'errorHandler')
    return { ...element, kind: bean.kind, options: bean.options as ElementModel['options'] };
  throw refused(element, `ref: there is no bean ${name} that is an error handler of Camel's`);
}

function checkKind(route: RouteCompiler, element: ElementModel): void {
  if (element.kind !== DEFAULT && element.kind !== DEAD_LETTER)
    throw refused(element, 'there is no transaction manager; use defaultErrorHandler or deadLetterChannel');
  for (const name of ['loggerRef', 'executorServiceRef'])
    if (textOption(route, element, name) !== undefined)
      throw refused(element, `${name} is a Java object; there is none here`);
}

/** By scope and class: where a scope has a class twice, and both hold always, the later one holds. */
function policyKeys(route: RouteCompiler, scopes: RouteScopes): PolicyKey[] {
  const keys = new Map<string, PolicyKey>();
  for (const { model, isOfRoute } of scoped(route, scopes, 'onException')) {
    const policy = exceptionPolicy(route, model);
    for (const className of exceptionClasses(route, model)) {
      const key = policy.onWhen === undefined ? `${isOfRoute} ${className}` : `${isOfRoute} ${className} ${keys.size}`;
      keys.set(key, { isOfRoute, className, policy });
    }
  }
  return [...keys.values()];
}

function deadLetterOf(route: RouteCompiler, element: ElementModel): DeadLetter {
  const uri = requiredText(route, element, 'deadLetterUri');
  const send = fireAndForget(route.producer(uri));
  const handlesNewFailure = booleanOption(route, element, 'deadLetterHandleNewException', true);
  return { uri: route.endpoint(uri).uri, send, handlesNewFailure };
}

/** Nobody waits for an answer of the dead letter channel. */
const fireAndForget =
  (send: Step): Step =>
  (exchange) => {
    const { pattern } = exchange;
    exchange.pattern = 'InOnly';
    return whenThrough(
      () => send(exchange),
      () => {
        exchange.pattern = pattern;
      },
    );
  };

/** `retryWhileRef`: a bean that says of an exchange whether its step is tried again. */
function predicateBean(route: RouteCompiler, element: ElementModel) {
  const name = textOption(route, element, 'retryWhileRef');
  if (name === undefined) return undefined;
  const bean = route.context.bean(name);
  if (typeof bean !== 'function') throw refused(element, `retryWhileRef: there is no bean ${name} that is a predicate`);
  return bean as NonNullable<ErrorHandling['retryWhile']>;
}
