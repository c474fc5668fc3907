import { assignedByName } from './assignment.js';
import type { Pattern } from './pattern.js';

/** A property of the exchange. One that is set to null is not there. */
export const setProperty: Pattern = (step, route) =>
  assignedByName(step, route, (name) => ({ properties }, value) => {
    if (value === null || value === undefined) properties.delete(name);
    else properties.set(name, value);
  });
