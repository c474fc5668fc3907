import type { Options } from '../model/route-model.js';
import { requiredText } from './options.js';
import type { Pattern } from './pattern.js';

/** The steps of a template in the place of this one: its block is where they say `kamelet:sink`. */
export const kamelet: Pattern = (step, route) => {
  const name = requiredText(route, step, 'name');
  const endpoint = route.endpoint(`kamelet:${name}`, step.options.parameters as Options | undefined);
  return route.kamelet(endpoint, route.block(step.steps));
};
