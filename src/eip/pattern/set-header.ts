import type { Step } from '../flow/outcome.js';
import type { ElementModel } from '../model/route-model.js';
import { assigned, assignments } from './assignment.js';
import { requiredText } from './options.js';
import type { Pattern, RouteCompiler } from './pattern.js';

export const setHeader: Pattern = (step, route) => header(step, route);

/** Several headers, one after the other: each sees those before it. */
export const setHeaders: Pattern = (step, route) => assignments(step, 'headers', (it) => header(it, route));

function header(element: ElementModel, route: RouteCompiler): Step {
  const name = requiredText(route, element, 'name');
  const lower = name.toLowerCase();
  return assigned(route.expression(element), ({ headers }, value) => headers.put(name, lower, value));
}
