import { evaluated } from '../flow/outcome.js';
import { textOption } from './options.js';
import type { Pattern } from './pattern.js';

/** Its block, where the predicate holds (Message Filter). The property `CamelFilterMatched` and, where `statusPropertyName` names one, that one tell whether it did. */
export const filter: Pattern = (step, route) => {
  const holds = route.predicate(step);
  const block = route.block(step.steps);
  const status = textOption(route, step, 'statusPropertyName');
  return (exchange) =>
    evaluated(holds(exchange), (value) => {
      exchange.properties.set('CamelFilterMatched', value === true);
      if (status !== undefined) exchange.properties.set(status, value === true);
      return value === true ? block(exchange) : undefined;
    });
};
