import type { Pattern } from './pattern.js';

/** No step follows; the exchange is completed. */
export const stop: Pattern = () => (exchange) => {
  exchange.isStopped = true;
  return undefined;
};
