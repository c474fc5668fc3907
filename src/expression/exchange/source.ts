import { ExchangeFailure } from './failure.js';
import type { Expression } from './language.js';
import { variableOf } from './variable.js';

/**
 * Input of an expression with the attribute `source`: `header:name`, `property:name`, `variable:name` or `name`, a variable. Without one, the body.
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
