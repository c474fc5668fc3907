import { ExchangeFailure } from '../../expression/routes.js';
import type { Flow } from '../flow/flow.js';
import { type Outcome, untilSignal } from '../flow/outcome.js';

/** Lets so many calls be under way at a time; others wait for a while, in their order, and are refused then. */
export class Bulkhead {
  readonly #name: string;
  readonly #maxWait: number;
  readonly #flow: Flow;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  /** `maxWait`: in ms. */
  constructor(name: string, calls: number, maxWait: number, flow: Flow) {
    this.#name = name;
    this.#free = calls;
    this.#maxWait = maxWait;
    this.#flow = flow;
  }

  /** `next` when the call may go through; of one that did, `leave` is called. @throws BulkheadFullException */
  enter(now: number, next: () => Outcome): Outcome {
    if (this.#free > 0) {
      this.#free--;
      return next();
    }
    if (this.#maxWait <= 0) throw this.#full();
    return untilSignal(
      `a place in bulkhead ${this.#name}`,
      (wake) => this.#queue(now, wake),
      (isIn) => {
        if (isIn !== true) throw this.#full();
        return next();
      },
    );
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }

  #queue(now: number, wake: (isIn: boolean) => void): void {
    const admitted = () => {
      giveUp();
      wake(true);
    };
    const giveUp = this.#flow.at(now + this.#maxWait, () => {
      this.#waiting.splice(this.#waiting.indexOf(admitted), 1);
      wake(false);
    });
    this.#waiting.push(admitted);
  }

  #full = () =>
    new ExchangeFailure(
      'io.github.resilience4j.bulkhead.BulkheadFullException',
      `Bulkhead '${this.#name}' is full and does not permit further calls`,
    );
}
