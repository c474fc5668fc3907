import { Asked, type Exchange, ExchangeFailure, type RouteExpression } from '../../expression/routes.js';
import { after, evaluated, type Step } from '../flow/outcome.js';
import type { ElementModel, StepModel } from '../model/route-model.js';
import { requiredText } from './options.js';
import type { RouteCompiler } from './pattern.js';
import { textOf } from './value.js';

type Put = (exchange: Exchange, value: unknown) => void;

/** A step that puts what an expression gives somewhere. It makes a closure only where the value must be waited for. */
export const assigned =
  (expression: RouteExpression, put: Put): Step =>
  (exchange) => {
    const value = expression(exchange);
    if (value instanceof Asked) return later(value, exchange, put);
    put(exchange, value);
    return undefined;
  };

const later = (value: Asked, exchange: Exchange, put: Put) =>
  evaluated(value, (it) => {
    put(exchange, it);
    return undefined;
  });

/** As {@link assigned}, where `name` of the element says what is set: a text with `${…}` in it does so for each exchange, when the value is there. */
export function assignedByName(element: ElementModel, route: RouteCompiler, put: (name: string) => Put): Step {
  const expression = route.expression(element);
  const name = requiredText(route, element, 'name');
  if (!isComputed(name)) return assigned(expression, put(name));
  const named = nameOf(name, element, route);
  return (exchange) =>
    evaluated(expression(exchange), (value) =>
      evaluated(named(exchange), (it) => {
        put(textOf(it) ?? '')(exchange, value);
        return undefined;
      }),
    );
}

/** Whether a name is a text of `simple`. */
export const isComputed = (name: string): boolean => name.includes('${') || name.includes('$simple{');

/** The name of a header, property or variable for each exchange: a constant, or a text of `simple`. */
export const nameOf = (name: string, element: ElementModel, route: RouteCompiler): RouteExpression =>
  isComputed(name) ? route.textExpression(name, element) : () => name;

/** The assignments of a step that has several, each with a name and an expression: `setHeaders: {headers: [{name, expression}]}`. Those of `parts` have been read already. */
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
