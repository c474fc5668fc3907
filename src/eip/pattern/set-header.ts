import type { Step } from '../flow/outcome.js';
import type { ElementModel } from '../model/route-model.js';
import { assignedByName, assignments } from './assignment.js';
import type { Pattern, RouteCompiler } from './pattern.js';

export const setHeader: Pattern = (step, route) => header(step, route);

/** Several headers, one after the other: each sees those before it. */
export const setHeaders: Pattern = (step, route) => assignments(step, 'headers', (it) => header(it, route));

function header(element: ElementModel, route: RouteCompiler): Step {
  return assignedByName(element, route, (name) => {
    const lower = name.toLowerCase();
    return ({ headers }, value) => headers.put(name, lower, value);
  });
}
