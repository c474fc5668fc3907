import type { Exchange } from './exchange.js';
import { ExchangeFailure } from './failure.js';
import type { Expression } from './language.js';

/**
 * What an expression with the attribute `source` looks at: `header:name`, `property:name`, `variable:name` or `name`, a variable. Without one, the body.
 * @throws ExchangeFailure (of the expression) where there is none of that name
 */
export function sourceOf(source: unknown): Expression {
  if (source === undefined || source === null || source === '' || source === 'body') return (exchange) => exchange.body;
  const [, kind = 'variable', name = ''] =
    /^(?:(header|property|exchangeProperty|variable):)?([\s\S]*)$/.exec(String(source)) ?? [];
  if (kind === 'header') return (exchange) => found(exchange.headers.get(name), name, 'header');
  if (kind === 'variable') return (exchange) => found(variableOf(exchange, name), name, 'variable');
  return (exchange) => found(exchange.properties.get(name), name, 'exchange property');
}

/** A variable by its name, which may begin with a scope: `global:name`, `route:routeId:name`. */
export function variableOf(exchange: Exchange, name: string): unknown {
  if (name.startsWith('global:')) return exchange.context.globalVariables.get(name.slice('global:'.length));
  const ofRoute = /^route:([^:]+):([\s\S]+)$/.exec(name);
  if (ofRoute === null) return exchange.variables.get(name);
  return exchange.context.routeVariables(ofRoute[1] ?? '').get(ofRoute[2] ?? '');
}

function found(value: unknown, name: string, kind: string): unknown {
  if (value !== undefined && value !== null) return value;
  const type =
    kind === 'variable'
      ? 'NoSuchVariableException'
      : kind === 'header'
        ? 'NoSuchHeaderException'
        : 'NoSuchPropertyException';
  throw new ExchangeFailure(`org.apache.camel.${type}`, `No '${name}' ${kind} available`);
}

export function setVariable(exchange: Exchange, name: string, value: unknown): void {
  const ofRoute = /^route:([^:]+):([\s\S]+)$/.exec(name);
  if (name.startsWith('global:')) exchange.context.globalVariables.set(name.slice('global:'.length), value);
  else if (ofRoute !== null) exchange.context.routeVariables(ofRoute[1] ?? '').set(ofRoute[2] ?? '', value);
  else exchange.variables.set(name, value);
}
