import type { Step } from '../flow/outcome.js';
import type { ElementModel } from '../model/route-model.js';
import { assignedByName, assignments } from './assignment.js';
import type { Pattern, RouteCompiler } from './pattern.js';
import { variableOf } from './variable.js';

/** A variable of the exchange, of all routes (`global:`) or of one (`route:`). One that is set to null is not there. */
export const setVariable: Pattern = (step, route) => variable(step, route);

export const setVariables: Pattern = (step, route) => assignments(step, 'variables', (it) => variable(it, route));

function variable(element: ElementModel, route: RouteCompiler): Step {
  return assignedByName(element, route, (name) => {
    const { set, delete: remove } = variableOf(name);
    return (exchange, value) => (value === null || value === undefined ? remove(exchange) : set(exchange, value));
  });
}
