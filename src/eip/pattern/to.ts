import type { Exchange } from '../../expression/routes.js';
import { after, type Step } from '../flow/outcome.js';
import type { Options, StepModel } from '../model/route-model.js';
import { recipientOptions, sendingTo, uriExpression } from './dynamic-endpoint.js';
import { requiredText, textOption, uriOption } from './options.js';
import type { Pattern, RouteCompiler } from './pattern.js';
import { withVariables } from './variable.js';

/** Sends the exchange to one endpoint, and goes on with what that made of it. */
export const to: Pattern = (step, route) => {
  const uri = uriOption(step);
  return asSent(step, route, route.producer(uri, step.options.parameters as Options | undefined));
};

/** Sends to an endpoint whose URI is computed for each exchange: a text of `simple`. */
export const toD: Pattern = (step, route) => {
  const recipient = recipientOptions(route, step, 'ignoreInvalidEndpoint');
  return asSent(step, route, sendingTo(uriExpression(route, step), recipient));
};

/** The steps of a template in the place of this one: its block is where they say `kamelet:sink`. */
export const kamelet: Pattern = (step, route) => {
  const name = requiredText(route, step, 'name');
  const endpoint = route.endpoint(`kamelet:${name}`, step.options.parameters as Options | undefined);
  return route.kamelet(endpoint, route.block(step.steps));
};

/** A step that sends, with the `pattern` and the variables that were asked for. */
export function asSent(step: StepModel, route: RouteCompiler, send: Step): Step {
  const pattern = textOption(route, step, 'pattern');
  const sent = withVariables(route, step, send);
  if (pattern !== 'InOnly' && pattern !== 'InOut') return sent;
  return (exchange) => {
    const former = exchange.pattern;
    exchange.pattern = pattern;
    return after(sent(exchange), () => restored(exchange, former));
  };
}

function restored(exchange: Exchange, pattern: Exchange['pattern']): undefined {
  exchange.pattern = pattern;
  return undefined;
}
