import type { Exchange } from '../../expression/routes.js';
import { after, attempt, type Outcome, type Step } from '../flow/outcome.js';
import { endOf } from '../flow/unit-of-work.js';

/** Of a branch: the id of the exchange that it is a branch of. */
const CORRELATION_ID = 'CamelCorrelationId';

/** A copy that knows which exchange it is of. */
export function correlatedCopy(exchange: Exchange): Exchange {
  const copy = exchange.copy();
  copy.properties.set(CORRELATION_ID, exchange.id);
  copy.original = exchange.original;
  return copy;
}

/** As {@link correlatedCopy}, of what goes on by itself: it is no part of the transacted block that the exchange is in. */
export function copyApart(exchange: Exchange): Exchange {
  const copy = correlatedCopy(exchange);
  copy.transaction = undefined;
  return copy;
}

/** Takes a branch through a step, to its end. What fails is the branch's `exception`, and not thrown. */
export function taken(branch: Exchange, step: Step): Outcome {
  let outcome: Outcome;
  try {
    outcome = step(branch);
  } catch (thrown) {
    branch.exception = thrown;
    return over(branch);
  }
  return outcome === undefined ? over(branch) : settled(branch, outcome);
}

const settled = (branch: Exchange, waited: Outcome): Outcome =>
  after(
    attempt(
      () => waited,
      (thrown) => {
        branch.exception = thrown;
        return undefined;
      },
    ),
    () => over(branch),
  );

/** What is to be done at the end of the branch. What fails of it keeps neither the branch nor the exchange. */
function over(branch: Exchange): Outcome {
  if (branch.endings === undefined) return undefined;
  return after(endOf(branch, 'before', nothing), () => endOf(branch, 'behind', nothing));
}

const nothing = () => undefined;

/**
 * Takes the result of a branch over into the exchange: message, properties and variables, and whether it was stopped. A failure is thrown; where the
 * branch's own error handler was at its end, no other one tries again.
 */
export function takeResult(exchange: Exchange, result: Exchange): undefined {
  if (result !== exchange) {
    exchange.takeOver(result);
    exchange.exception = result.exception;
  }
  return throwFailure(exchange);
}

/** Throws what an exchange failed with, where somebody has put that down. */
function throwFailure(exchange: Exchange): undefined {
  const { exception } = exchange;
  if (exception === undefined) return undefined;
  exchange.exception = undefined;
  throw exception;
}
