import { type Exchange, ExchangeFailure, type ExchangePattern } from '../../../expression/routes.js';
import { handOver } from '../../flow/unit-of-work.js';
import type { ComponentContext, Consumer, Intake } from '../component.js';
import type { Entry, Queue, Taker } from './queue.js';

export interface SedaConsumerOptions {
  /** How many exchanges it takes through its route at a time. */
  readonly concurrent: number;
  /** Each message goes to every consumer of the queue. */
  readonly multipleConsumers: boolean;
  /** What lies in the queue when it stops is thrown away. */
  readonly purges: boolean;
  readonly pattern: unknown;
}

/** Takes from a queue as many exchanges at a time as it may. */
export class SedaConsumer implements Consumer, Taker {
  readonly #queue: Queue;
  readonly #intake: Intake;
  readonly #options: SedaConsumerOptions;
  readonly #context: ComponentContext;
  #free: number;
  #isTaking = false;
  #isWoken = false;
  #drained: (() => void) | undefined;

  constructor(queue: Queue, intake: Intake, options: SedaConsumerOptions, context: ComponentContext) {
    this.#queue = queue;
    this.#intake = intake;
    this.#options = options;
    this.#context = context;
    this.#free = options.concurrent;
  }

  start(): void {
    const { takers, name } = this.#queue;
    if (takers.size > 0 && !this.#options.multipleConsumers)
      throw new ExchangeFailure(
        'org.apache.camel.FailedToStartRouteException',
        `Failed to start route: ${this.#intake.routeId} because: Multiple consumers for the same endpoint is not allowed: ${name}`,
      );
    this.resume();
  }

  suspend(): void {
    this.#isTaking = false;
    this.#queue.takers.delete(this);
  }

  resume(): void {
    this.#isTaking = true;
    this.#queue.takers.add(this);
    this.wake();
  }

  stop(): void {
    if (this.#options.purges) this.#queue.purge();
    this.suspend();
    this.#drained?.();
  }

  /** Takes what lies in the queue. */
  drain(): Promise<void> | undefined {
    if (this.#options.purges) this.#queue.purge();
    if (!this.#isTaking || this.#queue.length === 0) return undefined;
    return new Promise((resolve) => {
      this.#drained = resolve;
    });
  }

  /** Takes in a turn of its own, so that the sender's exchange goes on first. */
  wake(): void {
    if (this.#isWoken || this.#free === 0) return;
    this.#isWoken = true;
    this.#context.flow.turn(() => {
      this.#isWoken = false;
      this.#take();
    });
  }

  #take(): void {
    while (this.#isTaking && this.#free > 0 && this.#queue.length > 0) {
      if (this.#context.flow.isLate()) return this.wake();
      const entry = this.#queue.take();
      if (entry !== undefined) this.#run(entry);
    }
    if (this.#queue.length === 0) this.#drained?.();
  }

  #run(entry: Entry): void {
    this.#free--;
    let isHeld = true;
    const freed = () => {
      if (!isHeld) return;
      isHeld = false;
      this.#free++;
      if (this.#queue.length > 0) this.wake();
    };
    const ended = (exchange: Exchange) => {
      entry.ended?.(exchange);
      freed();
    };
    if (this.#options.multipleConsumers) this.#runAll(entry.exchange, ended, freed);
    else {
      const own = this.accepted(entry.exchange);
      this.#intake.process(own, ended, freed);
    }
  }

  /** Gives a copy to every consumer of the queue, at the same time; whoever waits for an answer gets what was sent. */
  #runAll(exchange: Exchange, ended: (exchange: Exchange) => void, freed: () => void): void {
    const all = [...this.#queue.takers].filter((taker) => taker instanceof SedaConsumer);
    let left = all.length;
    for (const consumer of all) {
      const through = ({ exception }: Exchange) => {
        exchange.exception ??= exception;
        if (--left === 0) ended(exchange);
      };
      consumer.#intake.process(consumer.accepted(exchange), through, freed);
    }
  }

  /** The message as an exchange of this route. */
  accepted(exchange: Exchange): Exchange {
    const { pattern, body, headers, properties, variables } = exchange;
    const own = this.#options.pattern as ExchangePattern | undefined;
    const parts = { body, headers: headers.copy(), properties: new Map(properties), variables: new Map(variables) };
    const accepted = this.#intake.exchange({ ...parts, pattern: own ?? pattern });
    accepted.call = exchange.call;
    handOver(exchange, accepted);
    return accepted;
  }
}
