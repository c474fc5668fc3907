import { type Exchange, ExchangeFailure } from '../../expression/routes.js';
import type { Endpoint } from '../component/component.js';
import { after, attempt, evaluated, type Outcome } from '../flow/outcome.js';
import type { Options } from '../model/route-model.js';
import { strategyOption } from './aggregation-strategy.js';
import { takeResult } from './branch.js';
import { combining } from './enrich.js';
import { booleanOption, durationOption, textOption, uriOption } from './options.js';
import type { Pattern, RouteCompiler } from './pattern.js';
import { camelExchangeFailure, textOf } from './value.js';

/** Takes one message from an endpoint, and puts it and the exchange together. It waits for one as long as `timeout` says: for ever (-1), not at all (0), or so many ms. */
export const pollEnrich: Pattern = (step, route) => {
  const expression = route.expression(step);
  const timeout = durationOption(route, step, 'timeout') ?? -1;
  const strategy = strategyOption(route, step);
  const variable = textOption(route, step, 'variableReceive');
  const combine = combining(strategy, variable);
  const answer = answering(strategy === undefined && variable === undefined);
  const isAlways = booleanOption(route, step, 'aggregateOnException', false);
  const isIgnoring = booleanOption(route, step, 'ignoreInvalidEndpoint', false);
  return (exchange) =>
    evaluated(expression(exchange), (value) => {
      const endpoint = endpointOf(route, textOf(value)?.trim() ?? '', isIgnoring);
      return endpoint === undefined
        ? undefined
        : polled(exchange, endpoint, timeout, (resource) => {
            if (resource?.exception !== undefined && !isAlways) return takeResult(exchange, resource);
            return combine(exchange, answer(exchange, resource));
          });
    });
};

/** What came; where it takes the place of the message, with the headers of that which it does not have itself. */
const answering = (isInPlace: boolean) => (exchange: Exchange, resource: Exchange | undefined) => {
  if (resource === undefined) return noAnswer(exchange);
  if (!isInPlace) return resource;
  for (const [name, value] of exchange.headers) if (!resource.headers.has(name)) resource.headers.set(name, value);
  return resource;
};

/** As Camel's default has it: where nothing came, the body is null, and all else stays. */
function noAnswer(exchange: Exchange): Exchange {
  const none = exchange.copy();
  none.body = null;
  return none;
}

/** Takes one message from an endpoint; where none came within 20 s (`timeout`), the body is null. */
export const poll: Pattern = (step, route) => {
  const endpoint = route.endpoint(uriOption(step), step.options.parameters as Options | undefined);
  const timeout = durationOption(route, step, 'timeout') ?? 20_000;
  const variable = textOption(route, step, 'variableReceive');
  const combine = combining(undefined, variable);
  const answer = answering(variable === undefined);
  return (exchange) => polled(exchange, endpoint, timeout, (resource) => combine(exchange, answer(exchange, resource)));
};

function endpointOf(route: RouteCompiler, uri: string, isIgnoring: boolean): Endpoint | undefined {
  if (uri === '') return undefined;
  try {
    return route.computedEndpoint(uri);
  } catch (thrown) {
    if (isIgnoring) return undefined;
    throw thrown;
  }
}

function polled(
  exchange: Exchange,
  endpoint: Endpoint,
  timeout: number,
  then: (resource: Exchange | undefined) => Outcome,
): Outcome {
  if (endpoint.poll === undefined)
    throw new ExchangeFailure('java.lang.UnsupportedOperationException', `${endpoint.uri} cannot be polled`);
  let resource: Exchange | undefined;
  const asked = attempt(
    () =>
      endpoint.poll?.(timeout, (it) => {
        resource = it;
        return undefined;
      }),
    (thrown) => {
      throw camelExchangeFailure('Error during poll', exchange, thrown);
    },
  );
  return after(asked, () => then(resource));
}
