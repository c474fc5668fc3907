import { Exchange, type ExchangeParts } from '../../expression/routes.js';
import type { Consumer, Intake } from '../component/component.js';
import { type Outcome, type Step, whenThrough } from '../flow/outcome.js';
import type { CompiledRoute } from './compile-route.js';
import type { RouteContext } from './route-context.js';
import type { RouteStatistics } from './route-statistics.js';

/** A route that is there: its consumer, the version that takes what comes, and what is under way. */
export class RunningRoute implements Intake {
  readonly routeId: string;
  /** Takes an exchange through the version of now. */
  readonly call: Step;
  readonly statistics: RouteStatistics;
  readonly #context: RouteContext;
  #current: CompiledRoute;
  #consumer: Consumer;
  #isSuspended = false;
  readonly #drained = new Set<() => void>();

  constructor(routeId: string, compiled: CompiledRoute, statistics: RouteStatistics, context: RouteContext) {
    this.routeId = routeId;
    this.statistics = statistics;
    context.meters.routes.set(routeId, statistics);
    this.#context = context;
    this.#current = compiled;
    this.#consumer = this.#consumerOf(compiled);
    this.call = (exchange) => this.#take(exchange, this.#current.steps);
  }

  get version(): number {
    return this.#current.version;
  }

  get current(): CompiledRoute {
    return this.#current;
  }

  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  exchange(parts: Partial<ExchangeParts>): Exchange {
    return new Exchange(this.#context, { routeId: this.routeId, endpointUri: this.#current.from.uri }, parts);
  }

  process(exchange: Exchange, ended: (exchange: Exchange) => void, freed?: () => void): void {
    const through = (thrown: unknown) => {
      if (thrown !== undefined) exchange.exception = thrown;
      ended(exchange);
    };
    this.#context.runner.start(exchange, this.call, through, freed);
  }

  failed(thrown: unknown): void {
    this.#context.log('ERROR', this.routeId, thrown instanceof Error ? thrown.message : String(thrown));
  }

  async start(): Promise<void> {
    await this.#consumer.start();
  }

  async suspend(): Promise<void> {
    this.#isSuspended = true;
    await (this.#consumer.suspend === undefined ? this.#consumer.stop() : this.#consumer.suspend());
  }

  async resume(): Promise<void> {
    await (this.#consumer.resume === undefined ? this.#consumer.start() : this.#consumer.resume());
    this.#isSuspended = false;
  }

  async stop(): Promise<void> {
    await this.#consumer.stop();
    for (const kept of this.#current.kept) kept.stop();
  }

  /** Lets go of what its steps kept. */
  end(): void {
    for (const kept of this.#current.kept) kept.end();
  }

  /** Takes what lies in queues of the route. Stopping it ends that. */
  drainQueue(): Promise<void> | void {
    return this.#consumer.drain?.();
  }

  /**
   * Another version takes what comes from now on; what is under way ends on the old one. Where both begin at the same endpoint, the consumer stays, so that
   * nothing is missed or done twice. @throws what keeps the new consumer from starting; the old one has its route back then
   */
  async swap(compiled: CompiledRoute): Promise<void> {
    const former = { compiled: this.#current, consumer: this.#consumer };
    if (compiled.from === former.compiled.from) {
      this.#current = compiled;
      return;
    }
    const consumer = this.#consumerOf(compiled);
    if (!this.#isSuspended) {
      const stopping = former.consumer.stop();
      if (stopping !== undefined) await stopping;
    }
    this.#current = compiled;
    this.#consumer = consumer;
    if (this.#isSuspended) return;
    try {
      const starting = consumer.start();
      if (starting !== undefined) await starting;
    } catch (thrown) {
      this.#current = former.compiled;
      this.#consumer = former.consumer;
      await former.consumer.start();
      throw thrown;
    }
  }

  /** Calls `work` when nothing of the route is under way, at once where nothing is. Gives what takes that back. */
  whenDrained(work: () => void): () => void {
    if (this.#isDrained()) {
      work();
      return () => {};
    }
    for (const kept of this.#current.kept) kept.drained = () => this.#checkDrained();
    this.#drained.add(work);
    return () => void this.#drained.delete(work);
  }

  #consumerOf({ from }: CompiledRoute): Consumer {
    const consumer = from.consumer?.(this);
    if (consumer !== undefined) return consumer;
    throw this.#context.failure('java.lang.UnsupportedOperationException', `no route can begin at ${from.uri}`);
  }

  /** Counts, and remembers where the exchange came from: routes call each other. */
  #take(exchange: Exchange, steps: Step): Outcome {
    const { routeId } = exchange;
    exchange.routeId = this.routeId;
    this.#context.entered?.(this.routeId);
    // An exchange that begins here has no trail yet, and none is kept of it elsewhere.
    const isNested = exchange.trail !== undefined;
    this.statistics.begun(this.#context.now(), isNested);
    const began = this.#context.elapsed();
    let outcome: Outcome;
    try {
      outcome = steps(exchange);
    } catch (thrown) {
      this.#left(exchange, { routeId, began, isNested }, true);
      throw thrown;
    }
    if (outcome === undefined) return this.#left(exchange, { routeId, began, isNested }, false);
    return this.#waited(outcome, exchange, { routeId, began, isNested });
  }

  /** Apart from {@link #take}, which makes no closure where nothing waits. */
  #waited(outcome: Outcome, exchange: Exchange, entry: Entry): Outcome {
    return whenThrough(
      () => outcome,
      (isFailed) => this.#left(exchange, entry, isFailed),
    );
  }

  #left(exchange: Exchange, { routeId, began, isNested }: Entry, isFailed: boolean): undefined {
    exchange.routeId = routeId;
    const now = this.#context.now();
    if (isFailed) this.statistics.failed(now, isNested);
    else this.statistics.completed(now, this.#context.elapsed() - began, exchange.isHandled, isNested);
    if (this.#drained.size > 0) this.#checkDrained();
    return undefined;
  }

  #isDrained(): boolean {
    return this.statistics.inflight <= 0 && this.#current.kept.every(({ pending }) => pending === 0);
  }

  #checkDrained(): void {
    if (!this.#isDrained()) return;
    for (const work of this.#drained) work();
    this.#drained.clear();
  }
}

/** How an exchange came to the route. */
interface Entry {
  /** The route that it came from. */
  readonly routeId: string;
  /** By a clock that goes on by itself, ms. */
  readonly began: number;
  /** Whether it is on its way through another route. */
  readonly isNested: boolean;
}
