import type { Exchange } from '../../expression/routes.js';
import type { Outcome, Step } from '../flow/outcome.js';
import type { StepModel } from '../model/route-model.js';
import type { Kept, RouteCompiler } from './pattern.js';

/** A resequencer: takes exchanges in, and sends them on in another order, one after the other. */
export abstract class Resequencer<Options> implements Kept {
  drained?: () => void;
  protected readonly route: RouteCompiler;
  protected readonly options: Options;
  protected readonly outlet: OneAfterOther;
  #forgetTimer: (() => void) | undefined;

  constructor(route: RouteCompiler, step: StepModel, options: Options) {
    this.route = route;
    this.options = options;
    this.outlet = new OneAfterOther(route, step);
    this.outlet.whenThrough = () => this.drained?.();
  }

  get pending(): number {
    return this.outlet.size;
  }

  /** Takes an exchange in by its key. */
  abstract take(exchange: Exchange, key: unknown): Outcome;

  abstract stop(): void;

  end(): void {
    this.wakeAt(undefined);
  }

  /** Sends what is there. */
  protected abstract send(): void;

  /** When it sends by itself, in place of any time before. */
  protected wakeAt(at: number | undefined): void {
    this.#forgetTimer?.();
    this.#forgetTimer = at === undefined ? undefined : this.route.flow.at(at, () => this.send());
  }
}

/** Sends exchanges through a block by themselves, each when the one before is through. What fails is logged. */
class OneAfterOther {
  readonly #route: RouteCompiler;
  readonly #step: StepModel;
  readonly #block: Step;
  readonly #queue: Exchange[] = [];
  #isBusy = false;
  /** Called when all are through. */
  whenThrough: (() => void) | undefined;

  constructor(route: RouteCompiler, step: StepModel) {
    this.#route = route;
    this.#step = step;
    this.#block = route.beginning(step.steps);
  }

  /** How many are not through. */
  get size(): number {
    return this.#queue.length + (this.#isBusy ? 1 : 0);
  }

  send(exchanges: readonly Exchange[]): void {
    for (const it of exchanges) this.#queue.push(it);
    if (!this.#isBusy) this.#next();
  }

  #next(): void {
    const { flow } = this.#route;
    for (;;) {
      const exchange = this.#queue.shift();
      if (exchange === undefined) return this.whenThrough?.();
      let isThrough = false;
      let isLater = false;
      this.#isBusy = true;
      flow.start(exchange, this.#block, (thrown) => {
        this.#isBusy = false;
        isThrough = true;
        if (thrown !== undefined) this.#failed(exchange, thrown);
        if (isLater) this.#next();
      });
      if (!isThrough) {
        isLater = true;
        return;
      }
    }
  }

  #failed(exchange: Exchange, thrown: unknown): void {
    const text = thrown instanceof Error ? thrown.message : String(thrown);
    const { model, context } = this.#route;
    context.log('ERROR', model.id, `Error occurred during processing ${this.#step.id}: ${text}`, exchange);
  }
}
