import { recipientOptions, sendingTo, uriExpression } from './dynamic-endpoint.js';
import type { Pattern } from './pattern.js';
import { asSent } from './to.js';

/** Sends to an endpoint whose URI is computed for each exchange: a text of `simple`. */
export const toD: Pattern = (step, route) => {
  const recipient = recipientOptions(route, step, 'ignoreInvalidEndpoint');
  return asSent(step, route, sendingTo(uriExpression(route, step), recipient));
};
