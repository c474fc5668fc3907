import { evaluated, Waiting } from '../flow/outcome.js';
import { booleanOption, textOption } from './options.js';
import type { Pattern } from './pattern.js';
import { integerOf } from './value.js';

/**
 * Goes on after as many ms as its expression gives; at once where that is null, or not above 0. `asyncDelayed` (true): whoever took the exchange may take the next one
 * meanwhile.
 */
export const delay: Pattern = (step, route) => {
  const expression = route.expression(step);
  const frees =
    booleanOption(route, step, 'asyncDelayed', true) || textOption(route, step, 'executorService') !== undefined;
  return (exchange) =>
    evaluated(expression(exchange), (value) => {
      const ms = value === null || value === undefined ? 0 : integerOf(value);
      if (ms <= 0) return undefined;
      return new Waiting({ kind: 'instant', at: exchange.context.now() + ms, frees }, () => undefined);
    });
};
