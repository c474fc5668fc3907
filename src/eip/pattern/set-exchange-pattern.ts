import { oneOf, refused } from './options.js';
import type { Pattern } from './pattern.js';

/** Whether an answer is wanted of what follows. */
export const setExchangePattern: Pattern = (step, route) => {
  const pattern = oneOf(route, step, 'pattern', ['InOnly', 'InOut']);
  if (pattern === undefined) throw refused(step, 'expected the pattern InOnly or InOut');
  return (exchange) => {
    exchange.pattern = pattern;
    return undefined;
  };
};
