import type { Exchange } from '../../expression/routes.js';
import type { Step } from '../flow/outcome.js';
import type { StepModel } from '../model/route-model.js';
import type { RouteCompiler } from './pattern.js';

/** Sends exchanges through a block by themselves, each when the one before is through. What fails is logged. */
export class OneAfterOther {
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
