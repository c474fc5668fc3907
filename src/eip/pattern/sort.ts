import { Asked, type Exchange, ExchangeFailure } from '../../expression/routes.js';
import { evaluated } from '../flow/outcome.js';
import type { StepModel } from '../model/route-model.js';
import { textOption } from './options.js';
import type { Pattern, RouteCompiler } from './pattern.js';
import { textOf } from './value.js';

/** The body is the list that its expression gives (the body), sorted: by the natural order, or by a comparator. */
export const sort: Pattern = (step, route) => {
  const expression = route.has(step, 'expression') ? route.expression(step) : ({ body }: Exchange) => body;
  const compare = comparatorOption(route, step) ?? natural;
  const put = (exchange: Exchange, value: unknown) => {
    exchange.body = listOf(value).sort(compare);
    return undefined;
  };
  return (exchange) => {
    const value = expression(exchange);
    return value instanceof Asked ? evaluated(value, (it) => put(exchange, it)) : put(exchange, value);
  };
};

export type Comparator = (one: unknown, other: unknown) => number;

/** A bean that compares: a function, or something with a method `compare`. `undefined`: none is named. */
export function comparatorOption(
  route: RouteCompiler,
  step: Pick<StepModel, 'kind' | 'at' | 'options' | 'expressions'>,
): Comparator | undefined {
  const name = textOption(route, step, 'comparator');
  if (name === undefined) return undefined;
  const bean = route.context.bean(name);
  const compare = typeof bean === 'function' ? bean : (bean as { compare?: unknown } | null | undefined)?.compare;
  if (typeof compare === 'function') return (one, other) => Number(compare.call(bean, one, other));
  throw new ExchangeFailure(
    'org.apache.camel.NoSuchBeanException',
    `No bean could be found in the registry for: ${name} of type: java.util.Comparator`,
    { at: step.at },
  );
}

/** Numbers by their size, texts by their characters, dates by their time: Camel's comparator of Comparables. @throws `ClassCastException` where two cannot be compared */
export function natural(one: unknown, other: unknown): number {
  if (one === other) return 0;
  const kind = kindOf(one);
  if (kind !== undefined && kind === kindOf(other))
    return (one as number) < (other as number) ? -1 : Number((one as number) > (other as number));
  throw new ExchangeFailure(
    'java.lang.ClassCastException',
    `cannot compare ${textOf(one) ?? 'null'} with ${textOf(other) ?? 'null'}`,
  );
}

function kindOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  if (typeof value === 'string' || typeof value === 'boolean') return typeof value;
  return value instanceof Date ? 'date' : undefined;
}

/** @throws `NullPointerException` where it is no list, as Camel does: a text has to be tokenized first */
function listOf(value: unknown): unknown[] {
  if (typeof value === 'object' && value !== null && Symbol.iterator in value && !(value instanceof Uint8Array))
    return [...(value as Iterable<unknown>)];
  throw new ExchangeFailure(
    'java.lang.NullPointerException',
    `sort: expected a list, but got ${textOf(value) ?? 'null'}`,
  );
}
