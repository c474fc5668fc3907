import { Asked, type Exchange } from '../../expression/index.js';
import { evaluated } from '../flow/outcome.js';
import { requiredText } from './options.js';
import type { Pattern } from './pattern.js';

export const setHeader: Pattern = (step, route) => {
  const name = requiredText(route, step, 'name');
  const lower = name.toLowerCase();
  const expression = route.expression(step);
  const put = (exchange: Exchange, value: unknown) => {
    exchange.headers.put(name, lower, value);
    return undefined;
  };
  return (exchange) => {
    const value = expression(exchange);
    return value instanceof Asked ? evaluated(value, (it) => put(exchange, it)) : put(exchange, value);
  };
};
