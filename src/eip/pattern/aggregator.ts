import { Asked, type Exchange, ExchangeFailure } from '../../expression/routes.js';
import { after, attempt, evaluated, type Outcome, type Step, untilSignal, whenThrough } from '../flow/outcome.js';
import type { StepModel } from '../model/route-model.js';
import type { AggregateOptions, Completion } from './aggregate-options.js';
import { copyApart } from './branch.js';
import { completionOf, timeoutOf } from './completion.js';
import { Groups } from './groups.js';
import type { Kept, RouteCompiler } from './pattern.js';
import { camelExchangeFailure, textOf } from './value.js';

const COMPLETE_ALL = 'CamelAggregationCompleteAllGroups';
const COMPLETE_ALL_INCLUSIVE = 'CamelAggregationCompleteAllGroupsInclusive';
const COMPLETE_CURRENT = 'CamelAggregationCompleteCurrentGroup';
const SIZE = 'CamelAggregatedSize';
const KEY = 'CamelAggregatedCorrelationKey';

/** Camel's `AggregateController`, for the bean of that option: it is handed to its `onStart`. */
export interface AggregateControl {
  forceCompletionOfGroup(key: string): number;
  forceCompletionOfAllGroups(): number;
  forceDiscardingOfGroup(key: string): number;
  forceDiscardingOfAllGroups(): number;
}

/** Takes exchanges into their groups, and sends complete groups through the block. One aggregates at a time: the others wait where a script has to be waited for. */
export class Aggregator implements Kept, AggregateControl {
  readonly step: Step;
  drained?: () => void;
  readonly #options: AggregateOptions;
  readonly #route: RouteCompiler;
  readonly #stepId: string;
  readonly #block: Step;
  readonly #groups: Groups;
  #isBusy = false;
  #isStopping = false;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  constructor(options: AggregateOptions, route: RouteCompiler, step: StepModel) {
    this.#options = options;
    this.#route = route;
    this.#stepId = step.id;
    this.#block = route.beginning(step.steps);
    this.#groups = Groups.of(route, step.id, options);
    this.step = (exchange) => this.#take(exchange);
  }

  get pending(): number {
    return this.#underWay + (this.#isStopping && this.#options.waitsOnStop ? this.#groups.size : 0);
  }

  stop(): void {
    this.#isStopping = true;
    if (this.#options.completesOnStop) this.forceCompletionOfAllGroups();
  }

  end(): void {
    this.#groups.end();
  }

  forceCompletionOfGroup(key: string): number {
    return this.complete(key, 'force') ? 1 : 0;
  }

  forceCompletionOfAllGroups(): number {
    return this.completeAll('force');
  }

  forceDiscardingOfGroup(key: string): number {
    return this.#groups.remove(key) === undefined ? 0 : 1;
  }

  forceDiscardingOfAllGroups(): number {
    const { size } = this.#groups;
    this.#groups.clear();
    return size;
  }

  completeAll(by: Completion): number {
    const keys = this.#groups.keys();
    for (const key of keys) this.complete(key, by);
    return keys.length;
  }

  /** Sends a group that is there through the block. */
  complete(key: string, by: Completion): boolean {
    const group = this.#groups.remove(key);
    if (group === undefined) return false;
    this.#send(key, group, by);
    return true;
  }

  #take(exchange: Exchange): Outcome {
    if (isFlagged(exchange, COMPLETE_ALL)) {
      unflag(exchange, COMPLETE_ALL);
      this.completeAll('force');
      return undefined;
    }
    const value = this.#options.key(exchange);
    return value instanceof Asked ? evaluated(value, (it) => this.#keyed(exchange, it)) : this.#keyed(exchange, value);
  }

  #keyed(exchange: Exchange, value: unknown): Outcome {
    const key = textOf(value) ?? '';
    if (key.trim() === '') {
      if (this.#options.ignoresInvalidKeys) return undefined;
      throw camelExchangeFailure('Invalid correlation key', exchange);
    }
    if (this.#groups.isClosed(key))
      throw new ExchangeFailure(
        'org.apache.camel.processor.aggregate.ClosedCorrelationKeyException',
        `The correlation key [${key}] has been closed. Exchange[${exchange.id}]`,
      );
    return this.#isBusy ? this.#later(exchange, key) : this.#enter(exchange, key);
  }

  /** When the one that aggregates is through. */
  #later(exchange: Exchange, key: string): Outcome {
    const arm = (wake: () => void) => void this.#waiting.push(wake);
    return untilSignal('aggregation', arm, () =>
      this.#isBusy ? this.#later(exchange, key) : this.#enter(exchange, key),
    );
  }

  #enter(exchange: Exchange, key: string): Outcome {
    const copy = copyApart(exchange);
    if (copy.properties.size > 0) {
      copy.properties.delete(COMPLETE_CURRENT);
      copy.properties.delete(COMPLETE_ALL);
    }
    if (copy.headers.size > 0) {
      copy.headers.delete(COMPLETE_ALL);
      copy.headers.delete(COMPLETE_ALL_INCLUSIVE);
    }
    const outcome = this.#aggregate(key, copy);
    if (outcome !== undefined) return this.#held(exchange, outcome);
    if (exchange.headers.size > 0) this.#inclusive(exchange);
    return undefined;
  }

  #inclusive(exchange: Exchange): void {
    if (exchange.headers.get(COMPLETE_ALL_INCLUSIVE) === undefined) return;
    if (isFlagged(exchange, COMPLETE_ALL_INCLUSIVE)) this.completeAll('force');
    exchange.headers.delete(COMPLETE_ALL_INCLUSIVE);
  }

  /** Nobody else aggregates until what it waits for is there. */
  #held(exchange: Exchange, outcome: Outcome): Outcome {
    this.#isBusy = true;
    const free = () => {
      this.#isBusy = false;
      this.#waiting.shift()?.();
    };
    return after(
      whenThrough(() => outcome, free),
      () => {
        this.#inclusive(exchange);
        return undefined;
      },
    );
  }

  #aggregate(key: string, next: Exchange): Outcome {
    const { strategy, isEager } = this.#options;
    let former = this.#groups.get(key);
    if (strategy.preComplete !== undefined) {
      this.#describe(next, key, former);
      if (strategy.preComplete(former, next)) {
        this.complete(key, 'strategy');
        former = undefined;
      }
      undescribe(next);
    } else if (isEager) {
      this.#describe(next, key, former);
      const eagerly = completionOf(this.#options, this.#groups, key, next) ?? timeoutOf(this.#options, next);
      undescribe(next);
      return this.#combine(key, former, next, eagerly);
    }
    return this.#combine(key, former, next, undefined);
  }

  #describe(next: Exchange, key: string, former: Exchange | undefined): void {
    next.properties.set(SIZE, sizeOf(former) + 1);
    next.properties.set(KEY, key);
  }

  /** `eagerly`: what completes the group, or its timeout, where that has been decided already. */
  #combine(
    key: string,
    former: Exchange | undefined,
    next: Exchange,
    eagerly: Completion | number | undefined,
  ): Outcome {
    let made: Exchange | Asked | undefined;
    try {
      made = this.#options.strategy.aggregate(former, next);
    } catch (thrown) {
      return this.#failed(key, next, thrown);
    }
    const size = sizeOf(former) + 1;
    if (!(made instanceof Asked)) return this.#made(key, size, next, made, eagerly);
    const asked = made;
    return attempt(
      () => evaluated(asked, (it) => this.#made(key, size, next, it as Exchange | undefined, eagerly)),
      (thrown) => this.#failed(key, next, thrown),
    );
  }

  #failed(key: string, next: Exchange, thrown: unknown): undefined {
    if (!this.#options.discardsOnFailure) throw camelExchangeFailure('Error occurred during aggregation', next, thrown);
    if (this.#groups.remove(key) !== undefined) this.#groups.close(key);
    this.#checkDrained();
    return undefined;
  }

  #made(
    key: string,
    size: number,
    next: Exchange,
    made: Exchange | undefined,
    eagerly: Completion | number | undefined,
  ): undefined {
    if (made === undefined || made === null)
      throw camelExchangeFailure('The AggregationStrategy returned null, which is not allowed', next);
    this.#completeOthers(made, size);
    made.properties.set(SIZE, size);
    const by = eagerly ?? completionOf(this.#options, this.#groups, key, made) ?? timeoutOf(this.#options, next);
    if (typeof by === 'number') {
      if (by > 0) made.properties.set('CamelAggregatedTimeout', by);
      this.#groups.put(key, made, by, this);
    } else if (by === 'consumer') {
      this.#groups.put(key, made, 0, this);
      for (const it of this.#groups.takeBatch()) this.complete(it, 'consumer');
    } else {
      this.#groups.remove(key);
      this.#send(key, made, by);
    }
    return undefined;
  }

  #completeOthers(made: Exchange, size: number): void {
    if (isFlagged(made, COMPLETE_ALL)) {
      unflag(made, COMPLETE_ALL);
      this.completeAll('force');
    } else if (this.#options.onNewGroup && size === 1) this.completeAll('force');
  }

  #send(key: string, group: Exchange, by: Completion): void {
    const { strategy, discardsOnTimeout, isParallel } = this.#options;
    group.properties.set(KEY, key);
    group.properties.set('CamelAggregatedCompletedBy', by);
    this.#groups.close(key);
    if (by === 'timeout') strategy.timeout?.(group, -1, -1, this.#options.completionTimeout);
    if (by === 'timeout' && discardsOnTimeout) return this.#checkDrained();
    strategy.onCompletion?.(group);
    group.routeId = this.#route.model.id;
    group.stepId = this.#stepId;
    this.#underWay++;
    const { flow } = this.#route;
    const begin = () => flow.start(group, this.#block, (thrown) => this.#ended(group, thrown));
    if (isParallel) flow.turn(begin);
    else begin();
  }

  #ended(group: Exchange, thrown: unknown): void {
    this.#underWay--;
    if (thrown !== undefined) {
      const text = thrown instanceof Error ? thrown.message : String(thrown);
      this.#route.context.log('ERROR', this.#route.model.id, `Error processing aggregated exchange: ${text}`, group);
    }
    this.#checkDrained();
  }

  #checkDrained(): void {
    if (this.pending === 0) this.drained?.();
  }
}

const sizeOf = (group: Exchange | undefined) => (group === undefined ? 0 : Number(group.properties.get(SIZE) ?? 0));

function undescribe({ properties }: Exchange): void {
  properties.delete(SIZE);
  properties.delete(KEY);
}

/** Whether a header or property says yes. */
function isFlagged({ headers, properties }: Exchange, name: string): boolean {
  const flag =
    (headers.size === 0 ? undefined : headers.get(name)) ?? (properties.size === 0 ? undefined : properties.get(name));
  return flag === true || flag === 'true';
}

function unflag({ headers, properties }: Exchange, name: string): void {
  headers.delete(name);
  properties.delete(name);
}
