import type { Options } from '../model/route-model.js';
import { requiredText } from './options.js';
import type { Pattern } from './pattern.js';

/** Sends the exchange to one endpoint, and goes on with what that made of it. */
export const to: Pattern = (step, route) =>
  route.producer(requiredText(route, step, 'uri'), step.options.parameters as Options | undefined);
