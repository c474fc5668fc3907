import { evaluated, untilInstant } from '../flow/outcome.js';
import { booleanOption } from './options.js';
import type { Pattern } from './pattern.js';
import { integerOf } from './value.js';

/** Goes on after as many ms as its expression gives. None are waited for where that is null, or not above 0. */
export const delay: Pattern = (step, route) => {
  const expression = route.expression(step);
  booleanOption(route, step, 'asyncDelayed', true);
  booleanOption(route, step, 'callerRunsWhenRejected', true);
  return (exchange) =>
    evaluated(expression(exchange), (value) => {
      const ms = value === null || value === undefined ? 0 : integerOf(value);
      return ms > 0 ? untilInstant(exchange.context.now() + ms, () => undefined) : undefined;
    });
};
