import type { Exchange } from '../../expression/routes.js';
import type { Outcome } from '../flow/outcome.js';
import type { StepModel } from '../model/route-model.js';
import { OneAfterOther } from './one-after-other.js';
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
