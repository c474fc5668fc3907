import { Asked, type Exchange } from '../../expression/routes.js';
import { evaluated, type Step } from '../flow/outcome.js';
import type { ElementModel } from '../model/route-model.js';
import { assignedByName, assignments } from './assignment.js';
import { oneOf, refused } from './options.js';
import type { Pattern, RouteCompiler } from './pattern.js';
import { variableOf } from './variable.js';

/** `setBody`, and `transform`, which is the same here: Camel keeps the headers in both. */
export const setBody: Pattern = (step, route) => {
  const expression = route.expression(step);
  return (exchange) => {
    const value = expression(exchange);
    if (value instanceof Asked) return evaluated(value, (it) => put(exchange, it));
    exchange.body = value;
    return undefined;
  };
};

function put(exchange: Exchange, value: unknown): undefined {
  exchange.body = value;
  return undefined;
}

/** A header of the message, found in any letter case; one that is there keeps that of its name. */
export const setHeader: Pattern = (step, route) => header(step, route);

/** Several headers, one after the other: each sees those before it. */
export const setHeaders: Pattern = (step, route) => assignments(step, 'headers', (it) => header(it, route));

function header(element: ElementModel, route: RouteCompiler): Step {
  return assignedByName(element, route, (name) => {
    const lower = name.toLowerCase();
    return ({ headers }, value) => headers.put(name, lower, value);
  });
}

/** A property of the exchange. One that is set to null is not there. */
export const setProperty: Pattern = (step, route) =>
  assignedByName(step, route, (name) => ({ properties }, value) => {
    if (value === null || value === undefined) properties.delete(name);
    else properties.set(name, value);
  });

/** A variable of the exchange, of all routes (`global:`) or of one (`route:`). One that is set to null is not there. */
export const setVariable: Pattern = (step, route) => variable(step, route);

/** Several variables, one after the other: each sees those before it. */
export const setVariables: Pattern = (step, route) => assignments(step, 'variables', (it) => variable(it, route));

function variable(element: ElementModel, route: RouteCompiler): Step {
  return assignedByName(element, route, (name) => {
    const { set, delete: remove } = variableOf(name);
    return (exchange, value) => (value === null || value === undefined ? remove(exchange) : set(exchange, value));
  });
}

/** Whether an answer is wanted of what follows. */
export const setExchangePattern: Pattern = (step, route) => {
  const pattern = oneOf(route, step, 'pattern', ['InOnly', 'InOut']);
  if (pattern === undefined) throw refused(step, 'expected the pattern InOnly or InOut');
  return (exchange) => {
    exchange.pattern = pattern;
    return undefined;
  };
};
