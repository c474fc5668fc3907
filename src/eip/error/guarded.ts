import type { Exchange } from '../../expression/routes.js';
import { attempt, type Outcome, type Step } from '../flow/outcome.js';
import type { StepModel } from '../model/route-model.js';
import { Delivery, type MessageCopy } from './delivery.js';
import type { ErrorHandling } from './error-handling.js';

/** A step, and what is done when it fails. Where it does not, this costs a `try`, and where it may be tried again a copy of its headers. */
export function guarded(step: Step, stepId: string, handling: ErrorHandling): Step {
  if (handling.mayRedeliver) return redelivered(step, stepId, handling);
  return (exchange) => {
    exchange.stepId = stepId;
    let outcome: Outcome;
    try {
      outcome = step(exchange);
    } catch (thrown) {
      return new Delivery(exchange, step, stepId, handling, undefined).failed(thrown);
    }
    return outcome === undefined ? undefined : watched(exchange, outcome, step, stepId, handling, undefined);
  };
}

const redelivered =
  (step: Step, stepId: string, handling: ErrorHandling): Step =>
  (exchange) => {
    exchange.stepId = stepId;
    const message: MessageCopy = { body: exchange.body, headers: exchange.headers.copy() };
    let outcome: Outcome;
    try {
      outcome = step(exchange);
    } catch (thrown) {
      return new Delivery(exchange, step, stepId, handling, message).failed(thrown);
    }
    return outcome === undefined ? undefined : watched(exchange, outcome, step, stepId, handling, message);
  };

const watched = (
  exchange: Exchange,
  outcome: Outcome,
  step: Step,
  stepId: string,
  handling: ErrorHandling,
  message: MessageCopy | undefined,
): Outcome =>
  attempt(
    () => outcome,
    (thrown) => new Delivery(exchange, step, stepId, handling, message).failed(thrown),
  );

/** Whether a step of that kind is outside of its route's error handling: its own steps, or its branches, have one. */
export const handlesErrors = ({ kind, options }: StepModel): boolean =>
  kind === 'doTry' ||
  (kind === 'multicast' && String(options.shareUnitOfWork) !== 'true') ||
  (kind === 'circuitBreaker' && String(options.inheritErrorHandler) !== 'true');
