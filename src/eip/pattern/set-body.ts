import { evaluated } from '../flow/outcome.js';
import type { Pattern } from './pattern.js';

/** `setBody`, and `transform`, which is the same here: Camel keeps the headers in both. */
export const setBody: Pattern = (step, route) => {
  const expression = route.expression(step);
  return (exchange) =>
    evaluated(expression(exchange), (value) => {
      exchange.body = value;
      return undefined;
    });
};
