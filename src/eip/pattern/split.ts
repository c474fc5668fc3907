import { Asked, type Exchange, ExchangeFailure, Headers } from '../../expression/routes.js';
import { evaluated, type Step } from '../flow/outcome.js';
import type { StepModel } from '../model/route-model.js';
import { strategyOption, useOriginal } from './aggregation-strategy.js';
import { correlatedCopy } from './branch.js';
import { type Branches, type GatherOptions, gatherOptions } from './branches.js';
import { gather } from './gather.js';
import { collected, END, Groups, type Items, itemsOf } from './iteration.js';
import { numberOption, textOption } from './options.js';
import type { Pattern, RouteCompiler } from './pattern.js';

/** Sends each item of what the expression gives through its block; the exchange itself goes on afterwards as it was, or with what the strategy made (Splitter). */
export const split: Pattern = (step, route) => {
  const options = splitOptions(route, step);
  const delimiter = textOption(route, step, 'delimiter') ?? ',';
  const group = numberOption(route, step, 'group') ?? 0;
  const expression = route.expression(step);
  const block = route.block(step.steps);
  const { flow } = route;
  const { isStreaming } = options;
  const send = (exchange: Exchange, items: Items) =>
    gather(exchange, new Parts(exchange, items, block, isStreaming), options, flow);
  const work = (exchange: Exchange, value: unknown) => {
    const items = group > 0 ? new Groups(itemsOf(value, delimiter), group) : itemsOf(value, delimiter);
    return isStreaming || items.size !== undefined
      ? send(exchange, items)
      : collected(items, (all) => send(exchange, all));
  };
  return (exchange) => {
    const value = expression(exchange);
    return value instanceof Asked ? later(value, exchange, work) : work(exchange, value);
  };
};

const later = (asked: Asked, exchange: Exchange, work: (exchange: Exchange, value: unknown) => ReturnType<Step>) =>
  evaluated(asked, (value) => work(exchange, value));

function splitOptions(route: RouteCompiler, step: StepModel): GatherOptions {
  const options = gatherOptions(route, step, strategyOption(route, step) ?? useOriginal());
  const most = numberOption(route, step, 'maxFailedRecords') ?? 0;
  const share = numberOption(route, step, 'errorThreshold') ?? 0;
  for (const name of ['resumeStrategy', 'watermarkKey', 'watermarkExpression'])
    if (step.options[name] !== undefined || route.has(step, name))
      throw new ExchangeFailure(
        'java.lang.UnsupportedOperationException',
        `split in line ${step.at.line}: ${name} needs a persistent repository`,
        { at: step.at },
      );
  if (most <= 0 && share <= 0) return options;
  const isTooMany = (failed: number, done: number) =>
    (most > 0 && failed >= most) || (share > 0 && failed / done >= share);
  return { ...options, isTooMany };
}

/** The branches: a copy for each item. */
class Parts implements Branches {
  readonly step: Step;
  isLast = false;
  readonly #exchange: Exchange;
  readonly #items: Items;
  /** Told beforehand, as all items are known. */
  readonly size: number | undefined;
  /** The next item, and the one behind it: only that tells whether the next is the last. */
  #first: unknown = NONE;
  #second: unknown = NONE;
  #index = 0;

  constructor(exchange: Exchange, items: Items, step: Step, isStreaming: boolean) {
    this.#exchange = exchange;
    this.#items = items;
    this.step = step;
    this.size = isStreaming ? undefined : items.size;
  }

  ready(): Asked | undefined {
    while (this.#second === NONE && this.#first !== END) {
      const item = this.#items.next();
      if (item instanceof Asked) return item.map((it) => this.#put(it));
      this.#put(item);
    }
    return undefined;
  }

  next(): Exchange | undefined {
    const item = this.#first;
    if (item === END) return undefined;
    this.#first = this.#second;
    this.#second = NONE;
    this.isLast = this.#first === END;
    const part = correlatedCopy(this.#exchange);
    if (isMessage(item)) part.take(item);
    else part.body = item;
    const { properties } = part;
    properties.set('CamelSplitIndex', this.#index++);
    properties.set('CamelSplitComplete', this.isLast);
    if (this.isLast) properties.set('CamelSplitSize', this.#index);
    else if (this.size !== undefined) properties.set('CamelSplitSize', this.size);
    return part;
  }

  close(): void {
    this.#items.close();
  }

  /** Items that are null are no items. */
  #put(item: unknown): void {
    if (item === null || item === undefined) return;
    if (this.#first === NONE) this.#first = item;
    else this.#second = item;
  }
}

const NONE = Symbol('none');

const isMessage = (item: unknown): item is { body: unknown; headers: Headers } =>
  typeof item === 'object' && item !== null && 'headers' in item && item.headers instanceof Headers;
