import type { Exchange } from '../exchange/exchange.js';
import { ExchangeFailure } from '../exchange/failure.js';

type Method = (...parameters: unknown[]) => unknown;

/** A function of a bean, and what it is called on. */
export interface BeanMethod {
  readonly call: Method;
  /** The names of its parameters. `undefined`: they cannot be told; it is given the body. */
  readonly parameters: readonly string[] | undefined;
}

const PACKAGE = 'org.apache.camel.component.bean';

/** The bean of a name. @throws ExchangeFailure NoSuchBeanException */
export function requiredBean(exchange: Exchange, name: string): unknown {
  const bean = exchange.context.bean(name);
  if (bean !== undefined && bean !== null) return bean;
  throw new ExchangeFailure(
    'org.apache.camel.NoSuchBeanException',
    `No bean could be found in the registry for: ${name}`,
  );
}

/**
 * The function that is called where a name is given: of that name, or a getter of it (`name` is `getName()`, or what the bean has as `name`).
 * @throws ExchangeFailure MethodNotFoundException
 */
export function namedMethod(bean: unknown, beanName: string, name: string): BeanMethod {
  const getter = `get${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const property = /^get[A-Z]/.test(name) ? name.charAt(3).toLowerCase() + name.slice(4) : name;
  for (const candidate of [name, getter, property]) {
    const value = visible(bean, candidate);
    if (typeof value === 'function') return methodOf(bean, value as Method);
    if (value !== undefined) return { call: () => value, parameters: [] };
  }
  throw new ExchangeFailure(
    `${PACKAGE}.MethodNotFoundException`,
    `Method with name: ${name} not found on bean: ${beanName}; it has ${methodNames(bean).join(', ') || 'no functions'}`,
  );
}

/** The function that is called where no name is given: the bean itself, `process`, its only one, or the only one that takes something. */
export function onlyMethod(bean: unknown, beanName: string): BeanMethod {
  if (typeof bean === 'function') return methodOf(undefined, bean as Method);
  const names = methodNames(bean);
  const [only] = names.includes('process') ? ['process'] : names;
  if (only !== undefined && (names.length === 1 || only === 'process')) return namedMethod(bean, beanName, only);
  const taking = names.filter((name) => (visible(bean, name) as Method).length > 0);
  if (taking.length === 1 && taking[0] !== undefined) return namedMethod(bean, beanName, taking[0]);
  if (taking.length > 1) {
    throw new ExchangeFailure(
      `${PACKAGE}.AmbiguousMethodCallException`,
      `Ambiguous method invocations possible on bean ${beanName}: name one of ${taking.join(', ')}`,
    );
  }
  throw new ExchangeFailure(
    'java.lang.IllegalStateException',
    `No method invocation could be created, no matching method could be found on: ${beanName}`,
  );
}

const methodOf = (bean: unknown, method: Method): BeanMethod => ({
  call: (...parameters) => method.apply(bean, parameters),
  parameters: parametersOf(method),
});

/** What a bean has by a name, but for what every object has. */
function visible(bean: unknown, name: string): unknown {
  if (bean === null || bean === undefined || name in Object.prototype || name === 'prototype') return undefined;
  return (bean as Record<string, unknown>)[name];
}

function methodNames(bean: unknown): string[] {
  const names = new Set<string>();
  for (
    let at: unknown = bean;
    at !== null && at !== undefined && at !== Object.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  return [...names].filter((name) => !name.startsWith('_') && typeof visible(bean, name) === 'function');
}

const known = new WeakMap<Method, readonly string[] | undefined>();

function parametersOf(method: Method): readonly string[] | undefined {
  if (!known.has(method))
    known.set(method, writtenParameters(Function.prototype.toString.call(method).slice(0, 2_000)));
  return known.get(method);
}

/** `async hello(body, { a }, other = 1)` has body, '' and other. */
function writtenParameters(source: string): readonly string[] | undefined {
  const arrow = /^(?:async\s+)?([\w$]+)\s*=>/.exec(source);
  if (arrow !== null) return [arrow[1] ?? ''];
  if (source.includes('[native code]')) return undefined;
  const listed = /^[^(]*\(([^()]*)\)/.exec(source);
  if (listed === null) return undefined;
  const parts = (listed[1] ?? '').split(',').map((part) => part.replace(/=[\s\S]*$/, '').trim());
  return parts.filter((part) => part !== '').map((part) => (/^[\w$]+$/.test(part) ? part : ''));
}

/** Value of a parameter without a written argument, by its name; the first one is else the body. */
export function boundParameter(name: string, at: number, exchange: Exchange): unknown {
  switch (name) {
    case 'body':
      return exchange.body;
    case 'headers':
      return exchange.headers;
    case 'exchange':
    case 'message':
      return exchange;
    case 'properties':
      return exchange.properties;
    case 'variables':
      return exchange.variables;
    case 'context':
      return exchange.context;
    default:
      return at === 0 ? exchange.body : null;
  }
}
