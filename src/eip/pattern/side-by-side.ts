import { Asked, type Exchange } from '../../expression/routes.js';
import type { Flow } from '../flow/flow.js';
import { evaluated, type Outcome, type Step, untilSignal } from '../flow/outcome.js';
import {
  asStopped,
  type Branches,
  finish,
  type GatherOptions,
  isEnding,
  type Made,
  sent,
  shareFailure,
} from './branches.js';

/** How many branches of one exchange go on beside each other. */
const MOST_AT_ONCE = 100;
/** How many branches are sent between two looks at the time. */
const LOOK_EVERY = 16;

/** Branches that go on beside each other, or that have to be through within a time. */
export class Gathering implements Made {
  readonly exchange: Exchange;
  readonly branches: Branches;
  readonly options: GatherOptions;
  readonly #flow: Flow;
  readonly #most: number;
  /** Results by their index that came before their turn. */
  readonly #waiting = new Map<number, Exchange>();
  /** Those that came, where a script still aggregates another. */
  readonly #arrived: Exchange[] = [];
  result: Exchange | undefined;
  done = 0;
  failed = 0;
  #sent = 0;
  #under = 0;
  #aggregated = 0;
  #isAllSent = false;
  #isOver = false;
  #isBusy = false;
  #isSending = false;
  #rounds = 0;
  #thrown: unknown;
  #wake: () => void = () => {};
  #forgetTimeout: () => void = () => {};

  constructor(exchange: Exchange, branches: Branches, options: GatherOptions, flow: Flow) {
    this.exchange = exchange;
    this.branches = branches;
    this.options = options;
    this.#flow = flow;
    this.#most = options.isParallel ? MOST_AT_ONCE : 1;
  }

  outcome(): Outcome {
    const { timeout } = this.options;
    if (timeout > 0) this.#forgetTimeout = this.#flow.at(this.exchange.context.now() + timeout, () => this.#timedOut());
    this.#send();
    if (this.#isOver) return this.#finish();
    const arm = (wake: () => void) => {
      this.#wake = wake;
    };
    return untilSignal('branches', arm, () => this.#finish());
  }

  #finish(): undefined {
    if (this.#thrown !== undefined) throw this.#thrown;
    return finish(this);
  }

  /** One loop sends all: branches that are through at once do not go deeper into the stack. */
  #send(): void {
    if (this.#isSending) return;
    this.#isSending = true;
    while (!this.#isOver && !this.#isAllSent && this.#under < this.#most && !this.#isBusy) {
      if (++this.#rounds % LOOK_EVERY === 0 && this.#flow.isLate()) return this.#giveWay();
      this.#sendNext();
    }
    this.#isSending = false;
    if (this.#isAllSent && this.#aggregated === this.#sent) this.#end();
  }

  #sendNext(): void {
    try {
      const asked = this.branches.ready?.();
      if (asked !== undefined) return this.#whenAnswered(asked, () => this.#send());
      const branch = this.branches.next();
      if (branch === undefined) this.#isAllSent = true;
      else this.#start(branch);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #giveWay(): void {
    this.#flow.turn(() => {
      this.#isSending = false;
      this.#send();
    });
  }

  #start(branch: Exchange): void {
    const index = this.#sent++;
    this.#under++;
    const { step, isLast } = this.branches;
    if (isLast) this.#isAllSent = true;
    const begin: Step = (it) => sent(it, step, this.options);
    this.#flow.start(branch, begin, () => {
      this.#under--;
      if (!this.#isOver) this.#came(branch, index);
    });
  }

  #came(branch: Exchange, index: number): void {
    this.done++;
    if (isEnding(branch, this.options) || this.#isTooMany(branch)) {
      this.result = asStopped(branch, index);
      this.#end();
      return;
    }
    if (this.options.isStreaming) this.#arrived.push(branch);
    else {
      this.#waiting.set(index, branch);
      this.#inOrder();
    }
    this.#aggregate();
  }

  /** Failures that are not too many are put up with. */
  #isTooMany(branch: Exchange): boolean {
    const { isTooMany } = this.options;
    if (isTooMany === undefined || branch.exception === undefined) return false;
    this.failed++;
    if (isTooMany(this.failed, this.done)) return true;
    branch.exception = undefined;
    return false;
  }

  /** Those whose turn it is, as all before them are there. */
  #inOrder(): void {
    for (;;) {
      const at = this.#aggregated + this.#arrived.length + (this.#isBusy ? 1 : 0);
      const branch = this.#waiting.get(at);
      if (branch === undefined) return;
      this.#waiting.delete(at);
      this.#arrived.push(branch);
    }
  }

  #aggregate(): void {
    while (!this.#isBusy && !this.#isOver) {
      const branch = this.#arrived.shift();
      if (branch === undefined) break;
      try {
        const made = this.options.strategy.aggregate(this.result, branch, this.exchange);
        if (made instanceof Asked) this.#whenAnswered(made, (it) => this.#made(branch, it as Exchange | undefined));
        else this.#made(branch, made);
      } catch (thrown) {
        this.#fail(thrown);
      }
    }
    this.#send();
  }

  #made(branch: Exchange, made: Exchange | undefined): void {
    this.#aggregated++;
    this.result = made;
    if (this.options.isUnitShared && made !== undefined) shareFailure(made, branch);
  }

  #whenAnswered(asked: Asked, then: (value: unknown) => void): void {
    this.#isBusy = true;
    const step: Step = () =>
      evaluated(asked, (value) => {
        this.#isBusy = false;
        if (!this.#isOver) then(value);
        return undefined;
      });
    this.#flow.start(this.exchange, step, (thrown) => {
      this.#isBusy = false;
      if (thrown !== undefined) this.#fail(thrown);
      else if (!this.#isOver) this.#aggregate();
    });
  }

  /** What is not there by now is left out. Branches that are under way go on, and nobody waits for them. */
  #timedOut(): void {
    if (this.#isOver) return;
    const { strategy, timeout } = this.options;
    const came = [...this.#waiting].sort(([one], [other]) => one - other);
    const missing = (upTo: number) => {
      for (; this.#aggregated < upTo; this.#aggregated++)
        strategy.timeout?.(this.result ?? this.exchange, this.#aggregated, this.#sent, timeout);
    };
    try {
      for (const [index, branch] of came) {
        missing(index);
        const made = strategy.aggregate(this.result, branch, this.exchange);
        if (!(made instanceof Asked)) this.#made(branch, made);
      }
      missing(this.#sent);
    } catch (thrown) {
      return this.#fail(thrown);
    }
    this.#end();
  }

  #fail(thrown: unknown): void {
    this.#thrown ??= thrown ?? new Error('nothing was thrown');
    this.#end();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#forgetTimeout();
    this.#wake();
  }
}
