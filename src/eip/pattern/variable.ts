import { type Exchange, variablePlace } from '../../expression/routes.js';
import { after, type Step } from '../flow/outcome.js';
import type { StepModel } from '../model/route-model.js';
import { textOption } from './options.js';
import type { RouteCompiler } from './pattern.js';

/** A variable by its name: the exchange's own, one of all routes (`global:`), or of one (`route:routeId:name`, or `route:name` of the route that an exchange is in). */
export interface Variable {
  get(exchange: Exchange): unknown;
  set(exchange: Exchange, value: unknown): void;
  delete(exchange: Exchange): void;
}

export function variableOf(name: string): Variable {
  const { key, scope } = variablePlace(name);
  return {
    get: (exchange) => scope(exchange).get(key),
    set: (exchange, value) => void scope(exchange).set(key, value),
    delete: (exchange) => void scope(exchange).delete(key),
  };
}

/**
 * A step that sends, with `variableSend` (the body is that variable's value) and `variableReceive` (the answer goes into that variable, its headers beside it as
 * `header:NAME.…`, and the message stays as it was before).
 */
export function withVariables(route: RouteCompiler, step: StepModel, send: Step): Step {
  const sendName = textOption(route, step, 'variableSend');
  const receiveName = textOption(route, step, 'variableReceive');
  if (sendName === undefined && receiveName === undefined) return send;
  const from = sendName === undefined ? undefined : variableOf(sendName);
  const into = receiveName === undefined ? undefined : receiver(receiveName);
  return (exchange) => {
    const { body, headers } = exchange;
    if (into !== undefined) exchange.headers = headers.copy();
    if (from !== undefined) exchange.body = from.get(exchange) ?? null;
    return after(send(exchange), () => {
      if (into === undefined || exchange.isStopped) return undefined;
      into(exchange);
      exchange.take({ body, headers });
      return undefined;
    });
  };
}

/** Puts the message into a variable: the body, and its headers beside it. */
export function receiver(name: string): (exchange: Exchange) => void {
  const { key, scope } = variablePlace(name);
  return (exchange) => {
    const variables = scope(exchange);
    variables.set(key, exchange.body);
    for (const [header, value] of exchange.headers) variables.set(`header:${key}.${header}`, value);
  };
}
