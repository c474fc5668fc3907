import type { Exchange } from './exchange.js';
import { ExchangeFailure } from './failure.js';

/** Where variables of a name are kept, and what they are called there. */
export interface VariablePlace {
  readonly key: string;
  readonly scope: (exchange: Exchange) => Map<string, unknown>;
}

/**
 * The place of a variable by its name: the exchange's own, one of all routes (`global:`), or of one (`route:routeId:name`, or `route:name` of the route that an exchange is in).
 * @throws ExchangeFailure where there is no such scope
 */
export function variablePlace(name: string): VariablePlace {
  const [, kind, rest = ''] = /^([a-z]+):(.*)$/s.exec(name) ?? [];
  if (kind === undefined || kind === 'header') return { key: name, scope: ofExchange };
  if (kind === 'exchange') return { key: rest, scope: ofExchange };
  if (kind === 'global') return { key: rest, scope: ({ context }) => context.globalVariables };
  if (kind !== 'route')
    throw new ExchangeFailure('java.lang.IllegalArgumentException', `Cannot find VariableRepository with id: ${kind}`);
  const [, routeId, key = rest] = /^([^:]+):(.*)$/s.exec(rest) ?? [];
  return { key, scope: ({ context, routeId: current }) => context.routeVariables(routeId ?? current) };
}

const ofExchange = ({ variables }: Exchange) => variables;

/** A variable by its name. @throws ExchangeFailure where there is no such scope */
export function variableOf(exchange: Exchange, name: string): unknown {
  if (!name.includes(':')) return exchange.variables.get(name);
  const { key, scope } = variablePlace(name);
  return scope(exchange).get(key);
}

/** @throws ExchangeFailure where there is no such scope */
export function setVariable(exchange: Exchange, name: string, value: unknown): void {
  const { key, scope } = variablePlace(name);
  scope(exchange).set(key, value);
}
