import { Asked, type Exchange } from '../../expression/routes.js';
import { repeated } from '../flow/flow.js';
import { evaluated, type Outcome } from '../flow/outcome.js';
import type { StepModel } from '../model/route-model.js';
import { recipientOptions } from './dynamic-endpoint.js';
import { urisOf } from './iteration.js';
import { textOption } from './options.js';
import type { Pattern, RouteCompiler } from './pattern.js';

/** Sends the exchange to one endpoint after the other, as the expression lists them: a list of URIs, or a text with delimiters. */
export const routingSlip: Pattern = (step, route) => {
  const delimiter = textOption(route, step, 'uriDelimiter') ?? ',';
  const expression = route.expression(step);
  const visit = visiting(step, route);
  return (exchange) =>
    evaluated(expression(exchange), (value) => {
      const uris = urisOf(value, delimiter);
      let at = 0;
      const next = (it: Exchange) => visit(it, uris[at++] ?? '');
      return repeated(exchange, next, () => at < uris.length, route.flow);
    });
};

/** Asks its expression after each endpoint for the next ones, until that gives nothing. */
export const dynamicRouter: Pattern = (step, route) => {
  const delimiter = textOption(route, step, 'uriDelimiter') ?? ',';
  const expression = route.expression(step);
  const visit = visiting(step, route);
  return (exchange) => {
    let uris: readonly string[] = [];
    let at = 0;
    let isOver = false;
    const visited = (it: Exchange, value: unknown): Outcome => {
      uris = urisOf(value, delimiter);
      at = 0;
      isOver = uris.length === 0;
      return isOver ? undefined : visit(it, uris[at++] ?? '');
    };
    const next = (it: Exchange): Outcome => {
      if (at < uris.length) return visit(it, uris[at++] ?? '');
      const value = expression(it);
      return value instanceof Asked ? evaluated(value, (answer) => visited(it, answer)) : visited(it, value);
    };
    return repeated(exchange, next, () => !isOver, route.flow);
  };
};

/** Sends to a URI, with the error handling of a step, and says where: `CamelSlipEndpoint`. */
function visiting(step: StepModel, route: RouteCompiler): (exchange: Exchange, uri: string) => Outcome {
  const recipient = recipientOptions(route, step, 'ignoreInvalidEndpoints');
  return (exchange, uri) => {
    const send = recipient(uri);
    if (send === undefined) return undefined;
    exchange.properties.set('CamelSlipEndpoint', route.computedEndpoint(uri).uri);
    return route.guarded(send, step)(exchange);
  };
}
