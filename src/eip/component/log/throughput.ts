import type { ComponentContext, EndpointAddress } from '../component.js';

const FIGURE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });

/** Counts exchanges, and tells how many came by: each `groupSize` of them, or each `groupInterval` ms. */
export class Throughput {
  readonly #context: ComponentContext;
  readonly #tell: (line: string) => void;
  readonly #groupSize: number | undefined;
  readonly #isActiveOnly: boolean;
  readonly #began: number;
  #groupBegan: number;
  #received = 0;
  /** How many had been received when the group before was told. */
  #told = 0;
  #takeBack: (() => void) | undefined;

  constructor(options: EndpointAddress['options'], context: ComponentContext, tell: (line: string) => void) {
    this.#context = context;
    this.#tell = tell;
    this.#began = this.#groupBegan = context.now();
    this.#groupSize = options.groupSize === undefined ? undefined : Number(options.groupSize);
    this.#isActiveOnly = options.groupActiveOnly !== false;
    if (this.#groupSize === undefined)
      this.#plan(this.#began + Number(options.groupDelay ?? 1000), Number(options.groupInterval));
  }

  count(): void {
    this.#received++;
    if (this.#groupSize === undefined || this.#received % this.#groupSize !== 0) return;
    const { taken, average } = this.#group();
    const rate = perSecond(this.#groupSize, taken);
    this.#tell(`Received: ${this.#received} messages so far. ${took(taken, rate, average)}`);
  }

  close(): void {
    this.#takeBack?.();
  }

  #plan(at: number, interval: number): void {
    this.#takeBack = this.#context.flow.at(at, () => {
      this.#plan(at + interval, interval);
      if (this.#isActiveOnly && this.#received === this.#told) return;
      const count = this.#received - this.#told;
      this.#told = this.#received;
      const { taken, average } = this.#group();
      const rate = perSecond(count, taken);
      const of = `Received: ${count} new messages, with total ${this.#received} so far.`;
      this.#tell(`${of} ${took(taken, rate, average)}`);
    });
  }

  #group() {
    const now = this.#context.now();
    const taken = now - this.#groupBegan;
    this.#groupBegan = now;
    return { taken, average: perSecond(this.#received, now - this.#began) };
  }
}

const perSecond = (count: number, ms: number) => FIGURE.format((count * 1000) / ms);
const took = (ms: number, rate: string, average: string) =>
  `Last group took: ${ms} millis which is: ${rate} messages per second. average: ${average}`;
