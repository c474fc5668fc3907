import { beanCall, type Exchange } from '../../../expression/routes.js';
import { beanOrInstance } from '../../bean/named-bean.js';
import { evaluated } from '../../flow/outcome.js';
import { PRODUCER_OPTIONS } from '../common-options.js';
import type { Component, ComponentContext, Endpoint, EndpointAddress, OptionKind } from '../component.js';

const OPTIONS = {
  ...PRODUCER_OPTIONS,
  method: 'text',
  scope: ['Singleton', 'Request', 'Prototype'],
  'bean.*': 'text',
} as const satisfies Record<string, OptionKind>;

const AT = { line: 1, column: 1 };

/** Calls a method of a bean of the registry. What it gives is the body; where it gives nothing, the message stays. */
export const bean: Component = {
  schemes: ['bean'],
  syntax: 'beanName',
  options: OPTIONS,
  endpoint: (address, context) => endpointOf(address, context, address.path),
};

/** As `bean`, of an instance of a class: one for the endpoint, or as `scope` says one for each exchange or call. */
export const classBean: Component = {
  schemes: ['class'],
  syntax: 'beanName',
  options: OPTIONS,
  endpoint: (address, context) => endpointOf(address, context, `#class:${address.path}`),
};

function endpointOf({ uri, path, options }: EndpointAddress, context: ComponentContext, name: string): Endpoint {
  const method = options.method === undefined ? undefined : String(options.method);
  const model = { language: 'method', text: path, options: {}, at: AT };
  let find: ((exchange: Exchange) => unknown) | undefined;
  return {
    uri,
    producer() {
      find ??= found(() => instance(name, options, context), String(options.scope ?? 'Singleton'));
      const call = beanCall({ name: path, method, find }, model, context.language('simple'));
      return (exchange) =>
        evaluated(call(exchange), (value) => {
          if (value !== undefined) exchange.body = value;
          return undefined;
        });
    },
  };
}

/** The bean with the properties that the URI sets: `bean.limit=10`. @throws ExchangeFailure NoSuchBeanException */
function instance(name: string, options: EndpointAddress['options'], context: ComponentContext): unknown {
  const it = beanOrInstance(context, name);
  const given = Object.entries(options).filter(([option]) => option.startsWith('bean.'));
  for (const [option, value] of given) (it as Record<string, unknown>)[option.slice('bean.'.length)] = value;
  return it;
}

/** One for all, one for each exchange, or one for each call. It is looked up at once, so that what is missing is told when the route starts. */
function found(make: () => unknown, scope: string): (exchange: Exchange) => unknown {
  const first = make();
  if (scope === 'Prototype') return make;
  if (scope !== 'Request') return () => first;
  const made = new WeakMap<Exchange, unknown>();
  return (exchange) => {
    if (!made.has(exchange)) made.set(exchange, make());
    return made.get(exchange);
  };
}
