import type { Endpoint } from '../component/component.js';
import { evaluated, type Step } from '../flow/outcome.js';
import { strategyOption, useLatest } from './aggregation-strategy.js';
import { gatherOptions } from './branches.js';
import { recipientOptions } from './dynamic-endpoint.js';
import { gather } from './gather.js';
import { urisOf } from './iteration.js';
import { Copies } from './multicast.js';
import { textOption } from './options.js';
import type { Pattern } from './pattern.js';

/** Tells in a property where the copy is sent. */
const told =
  ({ uri }: Endpoint, send: Step): Step =>
  (exchange) => {
    exchange.properties.set('CamelRecipientListEndpoint', uri);
    return send(exchange);
  };

/** Sends a copy to each endpoint that the expression names: a list of URIs, or a text with delimiters. */
export const recipientList: Pattern = (step, route) => {
  const options = gatherOptions(route, step, strategyOption(route, step) ?? useLatest);
  const delimiter = textOption(route, step, 'delimiter') ?? ',';
  const recipient = recipientOptions(route, step, 'ignoreInvalidEndpoints');
  const expression = route.expression(step);
  const { flow } = route;
  return (exchange) =>
    evaluated(expression(exchange), (value) => {
      const uris = delimiter === 'false' ? urisOf([value], '') : urisOf(value, delimiter);
      const steps = uris.flatMap((uri) => {
        const send = recipient(uri);
        return send === undefined ? [] : [told(route.computedEndpoint(uri), route.guarded(send, step))];
      });
      return gather(exchange, new Copies(exchange, steps), options, flow);
    });
};
