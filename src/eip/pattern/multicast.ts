import type { Exchange } from '../../expression/routes.js';
import type { Step } from '../flow/outcome.js';
import { strategyOption, useLatest } from './aggregation-strategy.js';
import { correlatedCopy } from './branch.js';
import { type Branches, gatherOptions } from './branches.js';
import { gather } from './gather.js';
import type { Pattern } from './pattern.js';

/** Sends a copy through each of its steps; what the strategy (the latest one) makes of the results goes on. */
export const multicast: Pattern = (step, route) => {
  const options = gatherOptions(route, step, strategyOption(route, step) ?? useLatest);
  const steps = step.steps.map((it) => route.block([it]));
  const { flow } = route;
  return (exchange) => gather(exchange, new Copies(exchange, steps), options, flow);
};

/** A copy of an exchange for each step. */
export class Copies implements Branches {
  readonly #exchange: Exchange;
  readonly #steps: readonly Step[];
  #index = 0;

  constructor(exchange: Exchange, steps: readonly Step[]) {
    this.#exchange = exchange;
    this.#steps = steps;
  }

  get step(): Step {
    return this.#steps[this.#index - 1] as Step;
  }

  get isLast(): boolean {
    return this.#index === this.#steps.length;
  }

  next(): Exchange | undefined {
    if (this.isLast) return undefined;
    const copy = correlatedCopy(this.#exchange);
    copy.properties.set('CamelMulticastIndex', this.#index++);
    copy.properties.set('CamelMulticastComplete', this.isLast);
    return copy;
  }
}
