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
  const combine = combining(strategyOption(route, step) ?? undefined, textOption(route, step, 'variableReceive'));
  const isAlways = booleanOption(route, step, 'aggregateOnException', false);
  const isIgnoring = booleanOption(route, step, 'ignoreInvalidEndpoint', false);
  return (exchange) =>
    evaluated(expression(exchange), (value) => {
      const endpoint = endpointOf(route, textOf(value)?.trim() ?? '', isIgnoring);
      return endpoint === undefined
        ? undefined
        : polled(exchange, endpoint, timeout, (resource) => {
            if (resource?.exception !== undefined && !isAlways) return takeResult(exchange, resource);
            return combine(exchange, resource ?? noAnswer(exchange));
          });
    });
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
  const combine = combining(undefined, textOption(route, step, 'variableReceive'));
  return (exchange) =>
    polled(exchange, endpoint, timeout, (resource) => combine(exchange, resource ?? noAnswer(exchange)));
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
