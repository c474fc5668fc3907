import { Asked, type Exchange, ExchangeFailure } from '../../expression/routes.js';
import { evaluated } from '../flow/outcome.js';
import type { Pattern } from './pattern.js';

/** Fails where its predicate does not hold. */
export const validate: Pattern = (step, route) => {
  const holds = route.predicate(step);
  const text = step.expressions.expression?.text ?? '';
  const check = (exchange: Exchange, value: unknown): undefined => {
    if (value === true) return undefined;
    throw new ExchangeFailure(
      'org.apache.camel.support.processor.PredicateValidationException',
      `Validation failed for Predicate[${text}]. Exchange[${exchange.id}]`,
    );
  };
  return (exchange) => {
    const value = holds(exchange);
    return value instanceof Asked ? evaluated(value, (it) => check(exchange, it)) : check(exchange, value);
  };
};
