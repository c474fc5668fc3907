import { Asked, type Exchange, ExchangeFailure, type RouteExpression } from '../../expression/routes.js';
import { after, evaluated, type Step } from '../flow/outcome.js';
import type { ElementModel, StepModel } from '../model/route-model.js';

/** A step that puts what an expression gives somewhere. It makes a closure only where the value must be waited for. */
export const assigned =
  (expression: RouteExpression, put: (exchange: Exchange, value: unknown) => void): Step =>
  (exchange) => {
    const value = expression(exchange);
    if (value instanceof Asked) return later(value, exchange, put);
    put(exchange, value);
    return undefined;
  };

const later = (value: Asked, exchange: Exchange, put: (exchange: Exchange, value: unknown) => void) =>
  evaluated(value, (it) => {
    put(exchange, it);
    return undefined;
  });

/** What a step has several of, each with a name and an expression: `setHeaders: {headers: [{name, expression}]}`. Those of `parts` have been read already. */
export function assignments(step: StepModel, list: string, make: (element: ElementModel) => Step): Step {
  const elements = step.parts[list] ?? [];
  if (elements.length === 0)
    throw new ExchangeFailure(
      'java.lang.IllegalArgumentException',
      `${step.kind} in line ${step.at.line}: expected ${list}`,
      { at: step.at },
    );
  const steps = elements.map(make);
  const from = (exchange: Exchange, first: number): ReturnType<Step> => {
    for (let at = first; at < steps.length; at++) {
      const outcome = steps[at]?.(exchange);
      if (outcome !== undefined) return after(outcome, () => from(exchange, at + 1));
    }
    return undefined;
  };
  return (exchange) => from(exchange, 0);
}
