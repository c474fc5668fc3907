import type { Exchange } from '../exchange/exchange.js';
import { ExchangeFailure } from '../exchange/failure.js';
import type { ExpressionModel, Language } from '../exchange/language.js';
import { isNode } from './document.js';
import { type Environment, newBudget, toText, type Value } from './xpath-evaluate.js';
import { FUNCTIONS } from './xpath-functions.js';

const NAMESPACES: Readonly<Record<string, string>> = {
  xml: 'http://www.w3.org/XML/1998/namespace',
  in: 'http://camel.apache.org/xml/in/',
  out: 'http://camel.apache.org/xml/out/',
  function: 'http://camel.apache.org/xml/function/',
};

/** By prefix: Camel's own, and those of the expression. */
export function namespacesOf({ options }: ExpressionModel): ReadonlyMap<string, string> {
  const all = new Map(Object.entries(NAMESPACES));
  const given: unknown[] = Array.isArray(options.namespace) ? options.namespace : [];
  for (const one of given) {
    const { key, value } = one as { readonly key?: unknown; readonly value?: unknown };
    if (typeof key === 'string' && typeof value === 'string') all.set(key, value);
  }
  return all;
}

/** XPath's environment of an exchange: its variables and Camel's functions. */
export function environmentOf(
  exchange: Exchange,
  namespaces: ReadonlyMap<string, string>,
  simple: Language,
  model: ExpressionModel,
): Environment {
  return {
    namespace: (prefix) => namespaces.get(prefix),
    functions: FUNCTIONS,
    budget: newBudget(),
    variable: (name) => xpathValue(variable(exchange, name)),
    call: (name, given) => {
      const [prefix = '', local = ''] = name.split(':');
      const call = FUNCTIONS_OF_CAMEL[`{${namespaces.get(prefix)}}${local}`];
      return call?.(exchange, given[0] === undefined ? '' : toText(given[0]), given[1], (text) =>
        simple.expression({ ...model, language: 'simple', text, options: {} })(exchange),
      );
    },
  };
}

type CamelFunction = (
  exchange: Exchange,
  key: string,
  other: Value | undefined,
  simple: (text: string) => unknown,
) => Value;

/** Camel's functions by namespace and name. */
const FUNCTIONS_OF_CAMEL: Readonly<Record<string, CamelFunction>> = {
  [`{${NAMESPACES.in}}body`]: ({ body }) => xpathValue(body),
  [`{${NAMESPACES.in}}header`]: ({ headers }, key) => xpathValue(headers.get(key)),
  [`{${NAMESPACES.out}}body`]: () => [],
  [`{${NAMESPACES.out}}header`]: () => [],
  [`{${NAMESPACES.function}}properties`]: property,
  [`{${NAMESPACES.function}}simple`]: (_, key, __, simple) => xpathValue(simple(key)),
};

function property(exchange: Exchange, key: string, byDefault: Value | undefined): Value {
  const value = exchange.context.property(key) ?? byDefault;
  if (value !== undefined) return value;
  throw new ExchangeFailure('java.lang.IllegalArgumentException', `Property with key [${key}] not found in properties`);
}

function variable(exchange: Exchange, written: string): unknown {
  const name = written.replace(/^in:/, '');
  if (name === 'body') return exchange.body;
  const plain = name.replace(/^(?:in\.)?header\./, '');
  return exchange.headers.get(plain) ?? exchange.properties.get(plain) ?? exchange.variables.get(plain);
}

function xpathValue(value: unknown): Value {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (isNode(value)) return [value];
  if (Array.isArray(value) && value.every(isNode)) return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length).toString();
  return String(value);
}
