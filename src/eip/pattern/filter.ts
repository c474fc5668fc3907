import type { Asked, Exchange } from '../../expression/routes.js';
import { evaluated, type Outcome } from '../flow/outcome.js';
import { textOption } from './options.js';
import type { Pattern } from './pattern.js';

/** Its block, where the predicate holds (Message Filter). Where `statusPropertyName` names a property, that tells whether it did. */
export const filter: Pattern = (step, route) => {
  const holds = route.predicate(step);
  const block = route.block(step.steps);
  const status = textOption(route, step, 'statusPropertyName');
  const taken = (exchange: Exchange, isMatched: boolean): Outcome => {
    if (status !== undefined) exchange.properties.set(status, isMatched);
    return isMatched ? block(exchange) : undefined;
  };
  const later = (asked: Asked, exchange: Exchange) => evaluated(asked, (value) => taken(exchange, value === true));
  return (exchange) => {
    const value = holds(exchange);
    return typeof value === 'object' ? later(value, exchange) : taken(exchange, value);
  };
};
