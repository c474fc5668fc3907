import { ExchangeFailure } from '../../expression/routes.js';
import { checkException } from '../error/exception-policy.js';
import { evaluated } from '../flow/outcome.js';
import { booleanOption, refused, textOption } from './options.js';
import type { Pattern } from './pattern.js';

/** No step follows; the exchange is completed. */
export const stop: Pattern = () => (exchange) => {
  exchange.isStopped = true;
  return undefined;
};

/** Fails the exchange, and no attempt follows. `markRollbackOnly` and `markRollbackOnlyLast` end it without a failure, marked as to be undone. */
export const rollback: Pattern = (step, route) => {
  const isMarked = booleanOption(route, step, 'markRollbackOnly', false);
  const isMarkedLast = booleanOption(route, step, 'markRollbackOnlyLast', false);
  if (isMarked && isMarkedLast)
    throw refused(step, 'only one of markRollbackOnly and markRollbackOnlyLast may be true');
  const message = textOption(route, step, 'message') ?? 'Intended rollback';
  return (exchange) => {
    exchange.rollback = isMarkedLast ? 'last' : 'all';
    if (!isMarked && !isMarkedLast)
      throw new ExchangeFailure('org.apache.camel.RollbackExchangeException', `${message}. Exchange[${exchange.id}]`);
    exchange.isStopped = true;
    return undefined;
  };
};

/** Fails the exchange: with a new exception of a class and a message in Simple, or with the one that is the bean `ref`. */
export const throwException: Pattern = (step, route) => {
  const reference = textOption(route, step, 'ref');
  if (reference !== undefined) {
    const failure = route.context.bean(reference);
    if (!(failure instanceof Error)) throw refused(step, `ref: there is no bean ${reference} that is an exception`);
    return () => {
      throw failure;
    };
  }
  const type = textOption(route, step, 'exceptionType');
  if (type === undefined) throw refused(step, 'expected exceptionType or ref');
  checkException(step, type);
  const message = textOption(route, step, 'message');
  const text = message === undefined ? undefined : route.textExpression(message, step);
  return (exchange) =>
    evaluated(text?.(exchange), (value) => {
      throw new ExchangeFailure(type, value === undefined || value === null ? '' : String(value));
    });
};
