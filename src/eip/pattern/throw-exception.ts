import { ExchangeFailure } from '../../expression/routes.js';
import { checkException } from '../error/exception-policy.js';
import { evaluated } from '../flow/outcome.js';
import { refused, textOption } from './options.js';
import type { Pattern } from './pattern.js';

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
