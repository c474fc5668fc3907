import type { Exchange } from '../../expression/routes.js';
import { type Outcome, type Step, whenThrough } from '../flow/outcome.js';

const RUNNING = 'CamelFatalFallbackErrorHandler';

/** Whether a failure of this route is being dealt with already: what deals with it has come back to where it began. */
export const isCircular = (exchange: Exchange): boolean => running(exchange).includes(exchange.routeId);

const running = ({ properties }: Exchange) => (properties.get(RUNNING) as readonly string[] | undefined) ?? [];

/** Runs the steps that deal with a failure. A failure within them is thrown, and no error handler tries that again. */
export function underFallback(exchange: Exchange, block: Step): Outcome {
  const before = running(exchange);
  exchange.properties.set(RUNNING, [...before, exchange.routeId]);
  const left = () => {
    if (before.length === 0) exchange.properties.delete(RUNNING);
    else exchange.properties.set(RUNNING, before);
  };
  return whenThrough(() => block(exchange), left);
}
