import type { Exchange } from '../../expression/routes.js';
import { attempt, type Outcome, type Step } from '../flow/outcome.js';
import type { StepModel } from '../model/route-model.js';
import { Delivery, type MessageCopy } from './delivery.js';
import type { ErrorHandling } from './error-handling.js';

/** A step that says where an exchange is. */
export const located =
  (step: Step, stepId: string): Step =>
  (exchange) => {
    exchange.stepId = stepId;
    return step(exchange);
  };

/** A step within the error handling of its route; one that has its own is no more than {@link located}. */
export const guarded = (step: Step, model: StepModel, handling: ErrorHandling): Step =>
  handlesErrors(model) ? located(step, model.id) : handled(step, model.id, handling);

/** A step, and what is done when it fails. Where it does not, this costs a `try`, and where it may be tried again a copy of its headers. */
function handled(step: Step, stepId: string, handling: ErrorHandling): Step {
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
const handlesErrors = ({ kind, options }: StepModel): boolean =>
  kind === 'doTry' ||
  (kind === 'multicast' && String(options.shareUnitOfWork) !== 'true') ||
  (kind === 'circuitBreaker' && String(options.inheritErrorHandler) !== 'true');
