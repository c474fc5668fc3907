import { type Exchange, namePattern } from '../../expression/routes.js';
import { evaluated, type Step } from '../flow/outcome.js';
import type { ElementModel } from '../model/route-model.js';
import { nameOf } from './assignment.js';
import { namesOption, requiredText } from './options.js';
import type { Pattern, RouteCompiler } from './pattern.js';
import { textOf } from './value.js';
import { variableOf } from './variable.js';

export const removeHeader: Pattern = (step, route) => {
  const name = requiredText(route, step, 'name');
  return ({ headers }) => {
    headers.delete(name);
    return undefined;
  };
};

export const removeProperty: Pattern = (step, route) => {
  const name = requiredText(route, step, 'name');
  return ({ properties }) => {
    properties.delete(name);
    return undefined;
  };
};

export const removeVariable: Pattern = (step, route) => {
  const name = nameOf(requiredText(route, step, 'name'), step, route);
  return (exchange) =>
    evaluated(name(exchange), (it) => {
      variableOf(textOf(it) ?? '').delete(exchange);
      return undefined;
    });
};

/** Headers whose names match `pattern` (a name, a beginning with `*`, a regular expression) and none of `excludePattern`. */
export const removeHeaders: Pattern = (step, route) =>
  removing(step, route, ({ headers }, isMeant) => {
    for (const name of [...headers.names()]) if (isMeant(name)) headers.delete(name);
  });

/** Properties, as `removeHeaders`. */
export const removeProperties: Pattern = (step, route) =>
  removing(step, route, ({ properties }, isMeant) => {
    for (const name of [...properties.keys()]) if (isMeant(name)) properties.delete(name);
  });

function removing(
  step: ElementModel,
  route: RouteCompiler,
  remove: (exchange: Exchange, isMeant: (name: string) => boolean) => void,
): Step {
  const matches = namePattern(requiredText(route, step, 'pattern'));
  const excluded = namesOption(route, step, 'excludePattern').map(namePattern);
  const isMeant = (name: string) => matches(name) && !excluded.some((it) => it(name));
  return (exchange) => {
    remove(exchange, isMeant);
    return undefined;
  };
}
