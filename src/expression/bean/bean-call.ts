import type { Exchange } from '../exchange/exchange.js';
import { ExchangeFailure } from '../exchange/failure.js';
import { Asked, type Expression, type ExpressionModel, type Language } from '../exchange/language.js';
import { type BeanArgument, parseMethod } from './bean-arguments.js';
import { type BeanMethod, boundParameter, namedMethod, onlyMethod, requiredBean } from './bean-method.js';
import { ForeignBean } from './foreign-bean.js';

export interface BeanParts {
  readonly simple: Language;
  readonly convert: (value: unknown, type: string, exchange: Exchange) => unknown;
  readonly isTrue: (value: unknown) => boolean;
}

/** Which bean is called, and how. */
export interface BeanTarget {
  readonly name: string;
  /** What gives the bean. Default: the registry, by its name. */
  readonly find?: (exchange: Exchange) => unknown;
  /** `hello`, `hello(${body}, 5)`; `undefined`: the one that fits. */
  readonly method?: string | undefined;
}

/**
 * Calls a bean of the registry: an object with functions, or a function. Parameters that are not written are given by their names: body, headers, exchange, properties,
 * variables, context; the first of another name is the body. What the function gives is the value; `undefined` where it gives nothing; an {@link Asked} of a promise.
 * @throws ExchangeFailure where what is written is no method; calls: NoSuchBeanException, MethodNotFoundException, AmbiguousMethodCallException
 */
export function beanCall(target: BeanTarget, model: ExpressionModel, simple: Language): Expression {
  const { name: own, arguments: written } = parseMethod(model, target.method, simple);
  return (exchange) => {
    const bean = target.find?.(exchange) ?? requiredBean(exchange, target.name);
    const name = own ?? nameOfHeader(exchange);
    if (bean instanceof ForeignBean) return foreign(bean, name, written, exchange);
    const method = name === undefined ? onlyMethod(bean, target.name) : namedMethod(bean, target.name, name);
    if (written === undefined || written.length > 0) return called(method, exchange, written);
    if ((method.parameters?.length ?? 0) === 0) return settled(method.call());
    throw new ExchangeFailure(
      'org.apache.camel.component.bean.MethodNotFoundException',
      `Method with name: ${name}() (with no parameters) not found on bean: ${target.name}`,
    );
  };
}

/** The method that the message names, which says so for one call. */
function nameOfHeader({ headers }: Exchange): string | undefined {
  const name = headers.get('CamelBeanMethodName');
  if (typeof name !== 'string' || name === '') return undefined;
  headers.delete('CamelBeanMethodName');
  return name;
}

function foreign(
  bean: ForeignBean,
  name: string | undefined,
  written: readonly BeanArgument[] | undefined,
  exchange: Exchange,
): unknown {
  if (written === undefined) return bean.call(name, undefined, exchange);
  const values = written.map((one, at) => (one === 'bound' ? boundParameter('', at, exchange) : one(exchange)));
  return withValues(values, (given) => bean.call(name, given, exchange));
}

function called(
  { call, parameters }: BeanMethod,
  exchange: Exchange,
  written: readonly BeanArgument[] | undefined,
): unknown {
  const bound = (at: number) => boundParameter(parameters?.[at] ?? '', at, exchange);
  const given = written ?? (parameters ?? ['body']).map((): BeanArgument => 'bound');
  const values = given.map((one, at) => (one === 'bound' ? bound(at) : one(exchange)));
  return withValues(values, (all) => settled(call(...all)));
}

/** `call` with values of which some may have to be waited for. */
function withValues(values: readonly unknown[], call: (values: readonly unknown[]) => unknown): unknown {
  if (!values.some((value) => value instanceof Asked)) return call(values);
  const waiting = values.map((value) => (value instanceof Asked ? value : new Asked(Promise.resolve(value))));
  return new Asked(
    Promise.all(waiting.map(({ answer }) => answer)).then((answers) => {
      const answer = call(answers.map((one, at) => waiting[at]?.taken(one)));
      return answer instanceof Asked ? answer.answer.then((it) => answer.taken(it)) : answer;
    }),
  );
}

/** Result of a function, as an {@link Asked} where it gave a promise. */
export const settled = (value: unknown): unknown => (value instanceof Promise ? new Asked(value) : value);

/** The language `method`, also called `bean`: `{ref, method}`, or as text `name`, `name.method`, `name?method=…`, `name::method`. */
export function method({ simple, convert, isTrue }: BeanParts): Language {
  const compiled = (model: ExpressionModel): Expression => {
    const call = beanCall(targetOf(model), model, simple);
    const { resultType } = model.options;
    const finished = (value: unknown, exchange: Exchange) =>
      typeof resultType === 'string' && resultType !== ''
        ? convert(value ?? null, resultType, exchange)
        : (value ?? null);
    return (exchange) => {
      const value = call(exchange);
      return value instanceof Asked ? value.map((answer) => finished(answer, exchange)) : finished(value, exchange);
    };
  };
  return {
    expression: compiled,
    predicate: (model) => {
      const expression = compiled(model);
      return (exchange) => {
        const value = expression(exchange);
        return value instanceof Asked ? value.map(isTrue) : isTrue(value);
      };
    },
  };
}

function targetOf({ text, options, at }: ExpressionModel): BeanTarget {
  const written = typeof options.method === 'string' ? options.method : undefined;
  if (typeof options.beanType === 'string' && options.beanType !== '')
    return {
      name: options.beanType,
      method: written ?? (text.trim() || undefined),
      find: instanceOf(options.beanType),
    };
  if (typeof options.ref === 'string' && options.ref !== '') return { name: options.ref, method: written };
  const [, name = '', inner] = /^\s*([^.:?(]+)(?:(?:\?method=|::|\.)([\s\S]+))?$/.exec(text) ?? [];
  if (name.trim() === '') {
    throw new ExchangeFailure(
      'org.apache.camel.ExpressionIllegalSyntaxException',
      `method in line ${at.line}: expected ref, or the name of a bean, but found ${text}`,
    );
  }
  return { name: name.trim(), method: written ?? inner };
}

/** One instance of a class for each context. */
export function instanceOf(className: string): (exchange: Exchange) => unknown {
  const made = new WeakMap<Exchange['context'], unknown>();
  return ({ context }) => {
    if (!made.has(context)) made.set(context, context.bean(`#class:${className}`));
    return made.get(context);
  };
}

/** The language `ref`: an expression of the registry, which is a function of the exchange. */
export function ref({ convert, isTrue }: Omit<BeanParts, 'simple'>): Language {
  const evaluated = (name: string, exchange: Exchange): unknown => {
    const bean = exchange.context.bean(name);
    const evaluate =
      typeof bean === 'function' ? bean : (bean as { readonly evaluate?: unknown } | undefined)?.evaluate;
    if (typeof evaluate !== 'function') {
      throw new ExchangeFailure(
        'java.lang.IllegalArgumentException',
        `Cannot find expression or predicate in registry with ref: ${name}`,
      );
    }
    return settled(evaluate.call(bean, exchange));
  };
  return {
    expression: ({ text, options: { resultType } }) => {
      const name = text.trim();
      return (exchange) => {
        const value = evaluated(name, exchange);
        if (typeof resultType !== 'string' || resultType === '') return value;
        return value instanceof Asked
          ? value.map((one) => convert(one, resultType, exchange))
          : convert(value, resultType, exchange);
      };
    },
    predicate: ({ text }) => {
      const name = text.trim();
      return (exchange) => {
        const value = evaluated(name, exchange);
        return value instanceof Asked ? value.map(isTrue) : isTrue(value);
      };
    },
  };
}
