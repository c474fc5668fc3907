import type { ErrorHandling } from '../error/error-handling.js';
import { guarded, handlesErrors } from '../error/guarded.js';
import type { Step } from '../flow/outcome.js';
import type { StepModel } from '../model/route-model.js';

/** Steps with an error handling of their own are not within the route's. */
export const guardedStep = (step: Step, model: StepModel, handling: ErrorHandling): Step =>
  handlesErrors(model) ? located(step, model.id) : guarded(step, model.id, handling);

/** A step that says where an exchange is. */
export const located =
  (step: Step, stepId: string): Step =>
  (exchange) => {
    exchange.stepId = stepId;
    return step(exchange);
  };
