import { Asked, type Exchange } from '../../expression/routes.js';
import { after, evaluated, type Outcome } from '../flow/outcome.js';
import { type AggregationStrategy, strategyOption } from './aggregation-strategy.js';
import { correlatedCopy, taken, takeResult } from './branch.js';
import { recipientOptions, sendingTo } from './dynamic-endpoint.js';
import { booleanOption, textOption } from './options.js';
import type { Pattern } from './pattern.js';
import { camelExchangeFailure } from './value.js';
import { receiver, variableOf } from './variable.js';

/** Asks an endpoint with a copy, and puts the answer and the exchange together (Content Enricher): the answer takes its place, where no strategy says otherwise. */
export const enrich: Pattern = (step, route) => {
  const send = sendingTo(route.expression(step), recipientOptions(route, step, 'ignoreInvalidEndpoint'));
  const combine = combining(strategyOption(route, step), textOption(route, step, 'variableReceive'));
  const isAlways = booleanOption(route, step, 'aggregateOnException', false);
  const isUnitShared = booleanOption(route, step, 'shareUnitOfWork', false);
  const sendName = textOption(route, step, 'variableSend');
  const from = sendName === undefined ? undefined : variableOf(sendName);
  return (exchange) => {
    const resource = correlatedCopy(exchange);
    resource.pattern = 'InOut';
    if (from !== undefined) resource.body = from.get(exchange) ?? null;
    return after(taken(resource, send), () => {
      if (isUnitShared && resource.isHandled) exchange.isHandled = true;
      if (resource.exception !== undefined && !isAlways) return takeResult(exchange, resource);
      return combine(exchange, resource);
    });
  };
};

/** Puts an answer (`undefined`: none came) and the exchange together. */
export function combining(
  strategy: AggregationStrategy | undefined,
  variable: string | undefined,
): (exchange: Exchange, resource: Exchange | undefined) => Outcome {
  const receive = variable === undefined ? undefined : receiver(variable);
  const finish = (exchange: Exchange, made: Exchange | undefined, message: Message) => {
    if (made === undefined) return undefined;
    if (receive !== undefined && made.exception === undefined) {
      receive(made);
      made.take(message);
    }
    const { pattern } = exchange;
    takeResult(exchange, made);
    exchange.pattern = pattern;
    return undefined;
  };
  return (exchange, resource) => {
    const message = { body: exchange.body, headers: exchange.headers };
    if (receive !== undefined) exchange.headers = message.headers.copy();
    if (strategy === undefined) return finish(exchange, resource ?? exchange, message);
    let made: Exchange | Asked | undefined;
    try {
      made = strategy.aggregate(exchange, resource);
    } catch (thrown) {
      throw camelExchangeFailure('Error occurred during aggregation', exchange, thrown);
    }
    if (made instanceof Asked) return evaluated(made, (it) => finish(exchange, it as Exchange | undefined, message));
    return finish(exchange, made, message);
  };
}

type Message = Pick<Exchange, 'body' | 'headers'>;
