import { Asked, type Exchange } from '../../expression/routes.js';
import { evaluated } from '../flow/outcome.js';
import type { Pattern } from './pattern.js';

/** `setBody`, and `transform`, which is the same here: Camel keeps the headers in both. */
export const setBody: Pattern = (step, route) => {
  const expression = route.expression(step);
  return (exchange) => {
    const value = expression(exchange);
    if (value instanceof Asked) return evaluated(value, (it) => put(exchange, it));
    exchange.body = value;
    return undefined;
  };
};

function put(exchange: Exchange, value: unknown): undefined {
  exchange.body = value;
  return undefined;
}
