import { assigned } from './assignment.js';
import { requiredText } from './options.js';
import type { Pattern } from './pattern.js';

/** A property of the exchange. One that is set to null is not there. */
export const setProperty: Pattern = (step, route) => {
  const name = requiredText(route, step, 'name');
  return assigned(route.expression(step), ({ properties }, value) => {
    if (value === null || value === undefined) properties.delete(name);
    else properties.set(name, value);
  });
};
