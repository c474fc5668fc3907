import { ExchangeFailure } from '../../expression/routes.js';
import { booleanOption, refused, textOption } from './options.js';
import type { Pattern } from './pattern.js';

/** Fails the exchange, and no attempt follows. `markRollbackOnly` and `markRollbackOnlyLast` end it without a failure, marked as to be undone. */
export const rollback: Pattern = (step, route) => {
  const isMarked = booleanOption(route, step, 'markRollbackOnly', false);
  const isMarkedLast = booleanOption(route, step, 'markRollbackOnlyLast', false);
  if (isMarked && isMarkedLast)
    throw refused(step, 'only one of markRollbackOnly and markRollbackOnlyLast may be true');
  const message = textOption(route, step, 'message') ?? 'Intended rollback';
  return (exchange) => {
    exchange.rollback = isMarkedLast ? 'last' : 'all';
    if (!isMarked && !isMarkedLast)
      throw new ExchangeFailure('org.apache.camel.RollbackExchangeException', `${message}. Exchange[${exchange.id}]`);
    exchange.isStopped = true;
    return undefined;
  };
};
