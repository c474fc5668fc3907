import { asText, tryConvert } from '../conversion/convert.js';
import { JavaClass, javaClass } from '../conversion/java-class.js';
import type { Exchange } from '../exchange/exchange.js';
import { ExchangeFailure } from '../exchange/failure.js';
import type { Expression } from '../exchange/language.js';
import { mapped } from '../exchange/stream.js';
import { CAMEL_CONSTANTS } from './constants.js';
import type { FunctionMaker } from './function-call.js';
import { pathOf } from './member-path.js';
import { SyntaxProblem } from './syntax-error.js';
import type { TextCompiler } from './text-compiler.js';

const contextName: Expression = ({ context }) => context.name;
const routeId: Expression = (exchange) => exchange.routeId;
const exchangeId: Expression = (exchange) => exchange.id;
const fromRouteId: Expression = ({ origin }) => origin.routeId;

/** Of exchange and context: what can be told of them here. */
export const CONTEXT_FUNCTIONS: Readonly<Record<string, Expression>> = {
  id: exchangeId,
  exchangeId,
  'exchange.exchangeId': exchangeId,
  'exchange.fromRouteId': fromRouteId,
  'exchange.pattern': (exchange) => exchange.pattern,
  'exchange.properties': (exchange) => exchange.properties,
  'exchange.context.name': contextName,
  'exchange.created': (exchange) => exchange.createdAt,
  exchange: (exchange) => `Exchange[${exchange.id}]`,
  logExchange: (exchange) =>
    `Exchange[Id: ${exchange.id}, RouteId: ${exchange.routeId}, Body: ${describedBody(exchange)}]`,
  messageTimestamp: (exchange) => Number(tryConvert(exchange.headers.get('CamelMessageTimestamp'), 'Long') ?? 0),
  camelContext: ({ context }) => `CamelContext(${context.name})`,
  camelId: contextName,
  'camelContext.name': contextName,
  'camelContext.status': () => 'Started',
  routeId,
  fromRouteId,
  routeGroup: ({ origin }) => origin.routeGroup ?? null,
  stepId: ({ properties }) => properties.get('CamelStepId') ?? null,
  threadId: () => 1,
  threadName: ({ context }) => context.name,
  hostname: ({ context }) => context.property('env:HOSTNAME') ?? '',
  hostName: ({ context }) => context.property('env:HOSTNAME') ?? '',
  messageHistory: (exchange) => history(exchange),
};

const SHOWN_MAX = 1_000;

function describedBody({ body }: Exchange): string {
  const text = asText(body);
  return typeof text === 'string' ? text.slice(0, SHOWN_MAX) : '[Body is a stream]';
}

/** The steps that the exchange has been through, where the route keeps them. */
function history(exchange: Exchange): string {
  const steps = exchange.properties.get('CamelMessageHistory');
  const lines = Array.isArray(steps)
    ? steps.map((it) => `${asText(it)}`)
    : [`[${exchange.routeId}] [${exchange.stepId ?? ''}]`];
  return ['Message History', ...lines].join('\n');
}

const properties = (rest: string): Expression => {
  const [, key = '', , byDefault] = /^([^:]*)(:([\s\S]*))?$/.exec(rest) ?? [];
  return ({ context }) => {
    const value = context.property(key) ?? byDefault;
    if (value !== undefined) return value;
    throw new ExchangeFailure(
      'java.lang.IllegalArgumentException',
      `Property with key [${key}] not found in properties from text: {{${key}}}`,
    );
  };
};

const propertiesExist = (rest: string): Expression => {
  const isNegated = rest.startsWith('!');
  const key = isNegated ? rest.slice(1) : rest;
  return ({ context }) => (context.property(key) === undefined) === isNegated;
};

const lookedUp =
  (prefix: string) =>
  (name: string): Expression =>
  ({ context }) =>
    context.property(`${prefix}:${name}`) ?? null;

const type = (name: string, compiler: TextCompiler): Expression => {
  const known = typeConstant(name);
  if (known !== undefined) return () => known;
  if (!name.includes('${'))
    throw new SyntaxProblem(
      0,
      `Cannot find type: ${name}: expected a class that values can have here, or a constant of org.apache.camel.Exchange`,
    );
  const computed = compiler.template(name);
  return (exchange) => mapped(computed(exchange), (text) => typeConstant(String(text)) ?? null);
};

/** A class, or a constant of Camel's. */
export function typeConstant(name: string): unknown {
  const found = javaClass(name);
  return found === undefined ? CAMEL_CONSTANTS[name] : new JavaClass(found);
}

/** A call of a bean, as the language `bean` writes it: `name`, `name.method`, `name.method(…)`, `name?method=…`. */
const bean = (text: string, { languageOf }: TextCompiler): Expression =>
  languageOf('bean').expression({ language: 'bean', text, options: {}, at: { line: 1, column: 1 } });

type Prefixed = (rest: string, compiler: TextCompiler) => Expression;

/** Functions that are written with a colon or a dot behind their names. */
export const PREFIXED_FUNCTIONS: readonly (readonly [prefix: string, make: Prefixed])[] = [
  ['propertiesExist:', propertiesExist],
  ['properties:', properties],
  [
    'ref:',
    (name) =>
      ({ context }) =>
        context.bean(name) ?? null,
  ],
  ['bean:', bean],
  ['type:', type],
  ['sysenv.', lookedUp('env')],
  ['sysenv:', lookedUp('env')],
  ['env.', lookedUp('env')],
  ['env:', lookedUp('env')],
  ['sys.', lookedUp('sys')],
];

const UUID_KINDS = new Set(['', 'default', 'classic', 'short', 'simple', 'random']);

export const CONTEXT_CALLS: Readonly<Record<string, FunctionMaker>> = {
  uuid: (call) => {
    const kind = call.text.trim();
    return ({ context }) => {
      if (UUID_KINDS.has(kind)) return context.newId();
      const generator = context.bean(kind);
      if (typeof generator === 'function') return (generator as () => unknown)();
      throw new ExchangeFailure(
        'org.apache.camel.NoSuchBeanException',
        `No bean could be found in the registry for: ${kind} of type: org.apache.camel.spi.UuidGenerator`,
      );
    };
  },
  messageHistory: () => history,
  messageAs: (call) => pathOf(() => null, call.behind.slice(call.behind.indexOf(')') + 1), call.compiler),
};
