import { type Exchange, ExchangeFailure } from '../../expression/routes.js';
import { type Outcome, untilSignal } from '../flow/outcome.js';
import { copyApart } from './branch.js';
import { Resequencer } from './resequencer.js';
import type { Comparator } from './sort.js';
import { camelExchangeFailure, integerOf } from './value.js';

export interface StreamOptions {
  /** How many wait for their order before those that send have to wait. */
  readonly capacity: number;
  /** How long a gap is waited for, in ms. */
  readonly timeout: number;
  readonly ignoresInvalid: boolean;
  /** What comes behind one that has gone on already fails. */
  readonly rejectsOld: boolean;
  /** Of exchanges, in place of their numbers. */
  readonly comparator: Comparator | undefined;
}

interface Element {
  readonly number: number;
  readonly exchange: Exchange;
  /** It goes on then, though the one before it has not come. */
  deadline: number | undefined;
}

/** Sends exchanges on as their numbers follow each other; a gap is waited for as long as the timeout says. */
export class StreamResequencer extends Resequencer<StreamOptions> {
  /** In their order. */
  readonly #elements: Element[] = [];
  readonly #waiting: (() => void)[] = [];
  #last: Element | undefined;

  take(exchange: Exchange, key: unknown): Outcome {
    if (this.#elements.length < this.options.capacity) return this.#insert(exchange, key);
    const arm = (wake: () => void) => void this.#waiting.push(wake);
    return untilSignal('resequencer', arm, () => this.take(exchange, key));
  }

  stop(): void {
    for (const element of this.#elements) element.deadline = undefined;
    this.send();
  }

  override end(): void {
    super.end();
    this.#elements.length = 0;
  }

  #insert(exchange: Exchange, key: unknown): undefined {
    let element: Element;
    try {
      element = this.#element(exchange, key);
    } catch (thrown) {
      if (this.options.ignoresInvalid) return undefined;
      throw camelExchangeFailure('Error processing Exchange in StreamResequencer', exchange, thrown);
    }
    const at = this.#place(element);
    if (this.#elements[at] !== undefined && this.#compare(element, this.#elements[at] as Element) === 0)
      return undefined;
    this.#elements.splice(at, 0, element);
    const successor = this.#elements[at + 1];
    if (successor !== undefined && this.#follows(successor, element)) successor.deadline = undefined;
    const predecessor = this.#elements[at - 1];
    const hasPredecessor = predecessor !== undefined && this.#follows(element, predecessor);
    if (!hasPredecessor && !(this.#last !== undefined && this.#follows(element, this.#last)))
      element.deadline = this.route.context.now() + this.options.timeout;
    this.send();
    return undefined;
  }

  #element(exchange: Exchange, key: unknown): Element {
    const element = { number: integerOf(key), exchange: copyApart(exchange), deadline: undefined };
    if (this.options.rejectsOld && this.#last !== undefined && this.#compare(element, this.#last) < 0)
      throw new ExchangeFailure(
        'org.apache.camel.processor.resequencer.MessageRejectedException',
        `rejecting message [${element.number}], it should have been sent before the last delivered message [${this.#last.number}]`,
      );
    return element;
  }

  #place(element: Element): number {
    let low = 0;
    let high = this.#elements.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(this.#elements[middle] as Element, element) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compare(one: Element, other: Element): number {
    const { comparator } = this.options;
    return comparator === undefined ? one.number - other.number : comparator(one.exchange, other.exchange);
  }

  #follows(later: Element, earlier: Element): boolean {
    return later.number === earlier.number + 1;
  }

  /** Those that nothing is missing before, or no longer waited for. */
  protected send(): void {
    const now = this.route.context.now();
    const ready: Exchange[] = [];
    for (;;) {
      const [first] = this.#elements;
      if (first === undefined || (first.deadline ?? now) > now) break;
      this.#elements.shift();
      this.#last = first;
      ready.push(first.exchange);
    }
    const [next] = this.#elements;
    this.wakeAt(next?.deadline);
    this.outlet.send(ready);
    for (let free = ready.length; free > 0; free--) this.#waiting.shift()?.();
  }
}
