import { Asked, Exchange, ExchangeFailure, ForeignBean, settled } from '../../expression/routes.js';
import type { ElementModel } from '../model/route-model.js';
import { textOption } from './options.js';
import type { RouteCompiler } from './pattern.js';
import { textOf } from './value.js';

/** How exchanges are put together, one after the other. */
export interface AggregationStrategy {
  /**
   * What `former` (what came of those before; none: it is the first) and the next one make. `input`: what was split or sent to many. Usually changes `former` and
   * gives it. An `Asked`, where a script has to be waited for, gives the same.
   */
  aggregate(former: Exchange | undefined, next: Exchange | undefined, input?: Exchange): Exchange | Asked | undefined;
  /** Everything is aggregated. */
  onCompletion?(result: Exchange): void;
  /** A branch did not come within the time. */
  timeout?(former: Exchange, index: number, total: number, timeout: number): void;
  /** Asked before aggregating: whether the group is complete without the next one, which then begins another. */
  preComplete?(former: Exchange | undefined, next: Exchange): boolean;
}

/** Where list strategies gather what they have until it is complete. */
const GATHERED = 'CamelGroupedExchange';
const CAUGHT = 'CamelExceptionCaught';

/** The latest one; but one that failed stays. */
export const useLatest: AggregationStrategy = {
  aggregate(former, next) {
    if (next === undefined) return former;
    if (former === undefined) return next;
    if (next.exception === undefined && former.exception === undefined && !former.isHandled) return next;
    next.exception ??= former.exception;
    return next.exception === undefined ? former : next;
  },
};

/** Camel's `UseOriginalAggregationStrategy`: the exchange that was split goes on as it was; with the failure of a part, where `isFailing`. */
export const useOriginal = (isFailing = true): AggregationStrategy => ({
  aggregate(former, next, input) {
    const target = input ?? former ?? next;
    if (!isFailing || target === undefined || next === undefined) return input ?? former;
    if (next.exception !== undefined) target.exception = next.exception;
    tellCaught(next, target, input);
    return input ?? (next.exception === undefined ? former : target);
  },
  onCompletion(result) {
    if (caughtIn.has(result)) result.properties.set(CAUGHT, caughtIn.get(result));
  },
});

/** Branches that follow are copies of the input: what was caught in another one is nothing of theirs. */
function tellCaught({ properties }: Exchange, target: Exchange, input: Exchange | undefined): void {
  const caught = properties.get(CAUGHT);
  if (caught === undefined) return;
  if (input === undefined) target.properties.set(CAUGHT, caught);
  else caughtIn.set(input, caught);
}

/** What branches of an exchange caught, until all are through. */
const caughtIn = new WeakMap<Exchange, unknown>();

/** One exchange whose body is the list of what `pick` gives of each. `isFresh`: that one is new, else it is the first that came. */
const grouped = (pick: (next: Exchange) => unknown, isFresh: boolean): AggregationStrategy => ({
  aggregate(former, next) {
    const target = former ?? (isFresh && next !== undefined ? emptyLike(next) : next);
    if (target === undefined) return undefined;
    const list = gatheredIn(target);
    const value = next === undefined ? null : pick(next);
    if (value !== null && value !== undefined) list.push(value);
    return target;
  },
  onCompletion(result) {
    const list = result.properties.get(GATHERED);
    result.properties.delete(GATHERED);
    if (list !== undefined) result.body = list;
  },
});

function gatheredIn({ properties }: Exchange): unknown[] {
  const present = properties.get(GATHERED);
  if (Array.isArray(present)) return present;
  const list: unknown[] = [];
  properties.set(GATHERED, list);
  return list;
}

const emptyLike = ({ context, origin, pattern }: Exchange) => new Exchange(context, origin, { pattern });

/** The texts of the bodies (or of what `pick` gives), one behind the other, with the delimiter between them. */
const joined = (delimiter: string, pick: (next: Exchange) => unknown): AggregationStrategy => ({
  aggregate(former, next) {
    const target = former ?? next;
    const text = next === undefined ? undefined : textOf(pick(next));
    if (target === undefined || text === undefined) return target;
    const before = target.properties.get(GATHERED) as string | undefined;
    target.properties.set(GATHERED, former === undefined ? text : `${before ?? ''}${delimiter}${text}`);
    return target;
  },
  onCompletion(result) {
    const text = result.properties.get(GATHERED);
    result.properties.delete(GATHERED);
    if (text !== undefined) result.body = text;
  },
});

const bodyOf = ({ body }: Exchange) => body;

/** The strategies of Camel by their class names, with the properties that a bean gives them. */
const CLASSES: Readonly<Record<string, (properties: Readonly<Record<string, unknown>>) => AggregationStrategy>> = {
  'org.apache.camel.processor.aggregate.UseLatestAggregationStrategy': () => useLatest,
  'org.apache.camel.processor.aggregate.UseOriginalAggregationStrategy': ({ propagateException = true }) =>
    useOriginal(String(propagateException) !== 'false'),
  'org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy': () => grouped(bodyOf, false),
  'org.apache.camel.processor.aggregate.GroupedExchangeAggregationStrategy': () => grouped((it) => it, true),
  'org.apache.camel.processor.aggregate.GroupedMessageAggregationStrategy': () =>
    grouped(({ body, headers }) => ({ body, headers }), true),
  'org.apache.camel.processor.aggregate.StringAggregationStrategy': ({ delimiter = '' }) =>
    joined(String(delimiter), bodyOf),
};

/** Their class names. */
export const STRATEGIES: readonly string[] = Object.keys(CLASSES);

/** The strategy of a class of Camel. `undefined`: there is none of that name here. */
export const strategyOfClass = (
  type: string,
  properties: Readonly<Record<string, unknown>> = {},
): AggregationStrategy | undefined => CLASSES[type]?.(properties);

/** The strategy that `aggregationStrategy` names: a bean (`#name`, or its name), or a class (`#class:…`). `undefined`: none is named. @throws where there is no such one */
export function strategyOption(route: RouteCompiler, element: ElementModel): AggregationStrategy | undefined {
  const name = textOption(route, element, 'aggregationStrategy')?.trim();
  if (name === undefined || name === '') return undefined;
  const method = textOption(route, element, 'aggregationStrategyMethodName');
  const allowsNull = textOption(route, element, 'aggregationStrategyMethodAllowNull') === 'true';
  const strategy = strategyOfClass(name) ?? strategyOfBean(route.context.bean(name), method, allowsNull);
  if (strategy !== undefined) return strategy;
  throw new ExchangeFailure(
    'org.apache.camel.NoSuchBeanException',
    `No bean could be found in the registry for: ${name} of type: org.apache.camel.AggregationStrategy`,
    { at: element.at },
  );
}

/** A bean as a strategy: one that is a strategy already, or a function (or method) of the bodies so far and of the next one. `allowsNull`: it is called for the first one, too, with null. */
function strategyOfBean(bean: unknown, method?: string, allowsNull = false): AggregationStrategy | undefined {
  if (typeof bean === 'function') return ofBodies((former, next) => bean(former, next), allowsNull);
  if (typeof bean !== 'object' || bean === null) return undefined;
  if (method !== undefined && bean instanceof ForeignBean) return ofForeign(bean, method, allowsNull);
  const named = method === undefined ? undefined : (bean as Record<string, unknown>)[method];
  if (typeof named === 'function') return ofBodies((former, next) => named.call(bean, former, next), allowsNull);
  return 'aggregate' in bean && typeof bean.aggregate === 'function' ? (bean as AggregationStrategy) : undefined;
}

/** Camel's adapter of methods without exchanges: the first one passes as it is, else what the function gives is the body of the former. */
const ofBodies = (combine: (former: unknown, next: unknown) => unknown, allowsNull: boolean): AggregationStrategy => ({
  aggregate(former, next) {
    if (next === undefined) return former;
    if (former === undefined && !allowsNull) return next;
    const target = former ?? next;
    const value = settled(combine(former === undefined ? null : former.body, next.body));
    if (value instanceof Asked) return value.map((it) => withBody(target, it));
    return withBody(target, value);
  },
});

const ofForeign = (bean: ForeignBean, method: string, allowsNull: boolean): AggregationStrategy => ({
  aggregate(former, next) {
    if (next === undefined) return former;
    const combine = (one: unknown, other: unknown) => bean.call(method, [one, other], next);
    return ofBodies(combine, allowsNull).aggregate(former, next);
  },
});

function withBody(exchange: Exchange, body: unknown): Exchange {
  if (body !== undefined) exchange.body = body;
  return exchange;
}
