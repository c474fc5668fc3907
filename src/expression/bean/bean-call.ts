import type { Exchange } from '../exchange/exchange.js';
import { ExchangeFailure } from '../exchange/failure.js';
import { Asked, type Expression, type ExpressionModel, type Language } from '../exchange/language.js';
import { type BeanArgument, parseMethod } from './bean-arguments.js';
import { type BeanMethod, boundParameter, namedMethod, onlyMethod, requiredBean } from './bean-method.js';

export interface BeanParts {
  readonly simple: Language;
  readonly convert: (value: unknown, type: string, exchange: Exchange) => unknown;
  readonly isTrue: (value: unknown) => boolean;
}

/** Which bean is called, and how. */
export interface BeanTarget {
  readonly name: string;
  /** `hello`, `hello(${body}, 5)`; `undefined`: the one that fits. */
  readonly method?: string | undefined;
}

/**
 * Calls a bean of the registry: an object with functions, or a function. Parameters that are not written are given by their names: body, headers, exchange, properties,
 * variables, context; the first of another name is the body. What the function gives is the value; `undefined` where it gives nothing; an {@link Asked} of a promise.
 * @throws ExchangeFailure where what is written is no method; calls: NoSuchBeanException, MethodNotFoundException, AmbiguousMethodCallException
 */
export function beanCall(target: BeanTarget, model: ExpressionModel, simple: Language): Expression {
  const { name, arguments: written } = parseMethod(model, target.method, simple);
  return (exchange) => {
    const bean = requiredBean(exchange, target.name);
    const method = name === undefined ? onlyMethod(bean, target.name) : namedMethod(bean, target.name, name);
    if (written === undefined || written.length > 0) return called(method, exchange, written);
    if ((method.parameters?.length ?? 0) === 0) return settled(method.call());
    throw new ExchangeFailure(
      'org.apache.camel.component.bean.MethodNotFoundException',
      `Method with name: ${name}() (with no parameters) not found on bean: ${target.name}`,
    );
  };
}

function called(
  { call, parameters }: BeanMethod,
  exchange: Exchange,
  written: readonly BeanArgument[] | undefined,
): unknown {
  const bound = (at: number) => boundParameter(parameters?.[at] ?? '', at, exchange);
  const given = written ?? (parameters ?? ['body']).map((): BeanArgument => 'bound');
  const values = given.map((one, at) => (one === 'bound' ? bound(at) : one(exchange)));
  if (!values.some((value) => value instanceof Asked)) return settled(call(...values));
  const waiting = values.map((value) => (value instanceof Asked ? value : new Asked(Promise.resolve(value))));
  return new Asked(
    Promise.all(waiting.map(({ answer }) => answer)).then((answers) =>
      call(...answers.map((answer, at) => waiting[at]?.taken(answer))),
    ),
  );
}

const settled = (value: unknown): unknown => (value instanceof Promise ? new Asked(value) : value);

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
  if (typeof options.beanType === 'string' && options.beanType !== '') {
    throw new ExchangeFailure(
      'java.lang.ClassNotFoundException',
      `method in line ${at.line}: the beanType ${options.beanType} is a class of Java, which does not exist here: register a bean, and name it as ref`,
    );
  }
  const written = typeof options.method === 'string' ? options.method : undefined;
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
