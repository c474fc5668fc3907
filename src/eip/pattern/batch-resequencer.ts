import type { Exchange } from '../../expression/routes.js';
import type { Outcome } from '../flow/outcome.js';
import { copyApart } from './branch.js';
import { Resequencer } from './resequencer.js';
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
export class BatchResequencer extends Resequencer<BatchOptions> {
  #batch: { readonly key: unknown; readonly exchange: Exchange }[] = [];

  take(exchange: Exchange, key: unknown): Outcome {
    if (key === null || key === undefined) {
      if (this.options.ignoresInvalid) return undefined;
      throw camelExchangeFailure('Exchange is not valid to be used by the BatchProcessor', exchange);
    }
    this.#batch.push({ key, exchange: copyApart(exchange) });
    const size = Number(exchange.properties.get('CamelBatchSize') ?? this.options.size);
    if (this.#batch.length >= size) this.send();
    else this.wakeAt(this.route.context.now() + this.options.timeout);
    return undefined;
  }

  stop(): void {
    this.send();
  }

  override end(): void {
    super.end();
    this.#batch = [];
  }

  protected send(): void {
    this.wakeAt(undefined);
    const { isReversed, allowsDuplicates } = this.options;
    const sorted = [...this.#batch].sort((one, other) => (isReversed ? -1 : 1) * natural(one.key, other.key));
    this.#batch = [];
    const kept = allowsDuplicates
      ? sorted
      : sorted.filter(({ key }, at) => at === 0 || natural(key, sorted[at - 1]?.key) !== 0);
    this.outlet.send(kept.map(({ exchange }) => exchange));
  }
}
