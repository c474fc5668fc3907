import type { Exchange } from '../../expression/routes.js';
import type { Outcome } from '../flow/outcome.js';
import type { StepModel } from '../model/route-model.js';
import { correlatedCopy } from './branch.js';
import { OneAfterOther } from './one-after-other.js';
import type { Kept, RouteCompiler } from './pattern.js';
import { natural } from './sort.js';
import { camelExchangeFailure } from './value.js';

export interface BatchOptions {
  readonly size: number;
  /** How long nothing comes before what is there is a batch, in ms. */
  readonly timeout: number;
  readonly allowsDuplicates: boolean;
  readonly isReversed: boolean;
  readonly ignoresInvalid: boolean;
}

/** Gathers a batch, sorts it, and sends it on. Of two with the same key the later one is dropped, unless duplicates are allowed. */
export class BatchResequencer implements Kept {
  drained?: () => void;
  readonly #route: RouteCompiler;
  readonly #options: BatchOptions;
  readonly #outlet: OneAfterOther;
  #batch: { readonly key: unknown; readonly exchange: Exchange }[] = [];
  #forgetTimer: (() => void) | undefined;

  constructor(route: RouteCompiler, step: StepModel, options: BatchOptions) {
    this.#route = route;
    this.#options = options;
    this.#outlet = new OneAfterOther(route, step);
    this.#outlet.whenThrough = () => this.drained?.();
  }

  get pending(): number {
    return this.#outlet.size;
  }

  take(exchange: Exchange, key: unknown): Outcome {
    if (key === null || key === undefined) {
      if (this.#options.ignoresInvalid) return undefined;
      throw camelExchangeFailure('Exchange is not valid to be used by the BatchProcessor', exchange);
    }
    this.#batch.push({ key, exchange: correlatedCopy(exchange) });
    const size = Number(exchange.properties.get('CamelBatchSize') ?? this.#options.size);
    this.#forgetTimer?.();
    this.#forgetTimer = undefined;
    if (this.#batch.length >= size) this.#send();
    else {
      const at = this.#route.context.now() + this.#options.timeout;
      this.#forgetTimer = this.#route.flow.at(at, () => this.#send());
    }
    return undefined;
  }

  stop(): void {
    this.#send();
  }

  end(): void {
    this.#forgetTimer?.();
    this.#batch = [];
  }

  #send(): void {
    this.#forgetTimer?.();
    this.#forgetTimer = undefined;
    const { isReversed, allowsDuplicates } = this.#options;
    const sorted = [...this.#batch].sort((one, other) => (isReversed ? -1 : 1) * natural(one.key, other.key));
    this.#batch = [];
    const kept = allowsDuplicates
      ? sorted
      : sorted.filter(({ key }, at) => at === 0 || natural(key, sorted[at - 1]?.key) !== 0);
    this.#outlet.send(kept.map(({ exchange }) => exchange));
  }
}
