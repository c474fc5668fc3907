import type { Exchange } from '../../expression/routes.js';
import type { Flow } from '../flow/flow.js';
import { after, type Outcome, type Step, type Wait } from '../flow/outcome.js';
import { endOf } from '../flow/unit-of-work.js';
import type { StuckExchange } from '../route-port.js';

/** The clock, timers and turns of the event loop. */
export interface RunnerTime {
  /** Calls `work` after so many ms of the machine's clock. Gives what takes that back. */
  after(ms: number, work: () => void): () => void;
  /** The domain's clock, in ms since 1970. */
  now(): number;
  /** Calls `work` at an instant of the domain's clock. Gives what takes that back. */
  at(instant: number, work: () => void): () => void;
  /** Calls `work` when others had their turn. */
  turn(work: () => void): void;
  /** A clock that goes on by itself, in ms: how long something computes. */
  elapsed(): number;
}

/** How long one exchange may compute before others have their turn, in ms. */
const SLICE_MS = 5;

/** An exchange that waits: for what, and since when (by the domain's clock). */
export interface Held {
  readonly exchange: Exchange;
  readonly wait: Wait;
  readonly since: number;
}

interface Kept extends Held {
  /** Fails what is waited for. */
  readonly fail: (reason: unknown) => void;
}

/** Takes exchanges through steps, and waits for what these tell: the one place of routes that knows promises and timers. */
export class Runner implements Flow {
  readonly #time: RunnerTime;
  readonly #held = new Set<Kept>();
  readonly #failed: (thrown: unknown, exchange: Exchange) => void;
  readonly #entered: ((routeId: string) => void) | undefined;
  #sliceEnd = 0;
  /** How many turns will come, and how much I/O goes on that is of no exchange. */
  #underWay = 0;
  /** Looks again whether all rests. */
  #look: (() => void) | undefined;

  /** `failed`: told of what failed at the end of an exchange, where nothing can be done about it any more. `entered`: of the route in which one goes on behind a wait. */
  constructor(
    time: RunnerTime,
    failed: (thrown: unknown, exchange: Exchange) => void,
    entered: ((routeId: string) => void) | undefined,
  ) {
    this.#entered = entered;
    this.#time = time;
    this.#failed = failed;
  }

  /** Exchanges that wait. */
  get held(): Iterable<Held> {
    return this.#held;
  }

  /** What waits in a route. */
  stuckIn(routeId: string): StuckExchange[] {
    const now = this.#time.now();
    return [...this.#held]
      .filter(({ exchange }) => exchange.routeId === routeId)
      .map(({ exchange: { id, stepId = null }, since }) => ({ exchangeId: id, stepId, elapsedMs: now - since }));
  }

  /** Fails whatever waits in a route. */
  giveUp(routeId: string, reason: unknown): void {
    for (const held of [...this.#held]) if (held.exchange.routeId === routeId) held.fail(reason);
  }

  isLate(): boolean {
    return this.#time.elapsed() >= this.#sliceEnd;
  }

  at(instant: number, work: () => void): () => void {
    return this.#time.at(instant, () => this.#sliced(work));
  }

  turn(work: () => void): void {
    this.#underWay++;
    this.#time.turn(() => {
      this.#through();
      this.#sliced(work);
    });
  }

  async underWay<T>(work: Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      return await work;
    } finally {
      this.#through();
    }
  }

  async paused<T>(wait: Promise<T>): Promise<T> {
    this.#through();
    try {
      return await wait;
    } finally {
      this.#underWay++;
    }
  }

  #through(): void {
    this.#underWay--;
    this.#look?.();
  }

  /** Resolves when nothing computes or waits for I/O: what is left waits for an instant, or for something that nothing here leads to. */
  async rested(): Promise<void> {
    for (;;) {
      await new Promise<void>((resolve) => this.#time.turn(resolve));
      if (!this.#isBusy()) return;
      await new Promise<void>((resolve) => {
        const before = this.#look;
        this.#look = () => {
          this.#look = undefined;
          before?.();
          resolve();
        };
      });
    }
  }

  #isBusy(): boolean {
    if (this.#underWay > 0) return true;
    for (const { wait } of this.#held) if (wait.kind === 'reply' || wait.kind === 'turn') return true;
    return false;
  }

  start(exchange: Exchange, step: Step, ended: (thrown?: unknown) => void, freed?: () => void): void {
    this.#sliced(() => this.#go({ exchange, ended, freed }, () => step(exchange)));
  }

  /** Whatever begins anew on the event loop may compute for a while; what it begins itself shares that. */
  #sliced(work: () => void): void {
    const now = this.#time.elapsed();
    if (now >= this.#sliceEnd) this.#sliceEnd = now + SLICE_MS;
    work();
  }

  #go(run: Run, work: () => Outcome): void {
    let outcome: Outcome;
    try {
      outcome = work();
    } catch (thrown) {
      this.#ended(run, thrown ?? new Error('nothing was thrown'));
      return;
    }
    if (outcome === undefined) this.#ended(run);
    else this.#await(run, outcome);
  }

  /** Does what the exchange has to do at its end, and tells of it. */
  #ended(run: Run, thrown?: unknown): void {
    const { exchange } = run;
    if (exchange.endings === undefined || run.isOver === true) {
      run.ended(thrown);
      return;
    }
    if (thrown !== undefined) exchange.exception = thrown;
    const failed = (another: unknown) => this.#failed(another, exchange);
    this.#go({ exchange, ended: () => {}, freed: run.freed, isOver: true }, () =>
      after(endOf(exchange, 'before', failed), () => {
        run.ended(thrown);
        return endOf(exchange, 'behind', failed);
      }),
    );
  }

  #await(run: Run, { wait, resume, fail }: NonNullable<Outcome>): void {
    const on = (work: () => Outcome) => {
      if (!this.#held.delete(held)) return;
      this.#look?.();
      this.#entered?.(run.exchange.routeId);
      this.#sliced(() => this.#go(run, work));
    };
    const held: Kept = {
      exchange: run.exchange,
      wait,
      since: this.#time.now(),
      fail: (reason) => on(() => fail(reason)),
    };
    this.#held.add(held);
    switch (wait.kind) {
      case 'instant':
        this.#time.at(wait.at, () => on(() => resume(undefined)));
        break;
      case 'turn':
        this.#time.turn(() => on(() => resume(undefined)));
        break;
      case 'reply':
        wait.reply.then(
          (value) => on(() => resume(value)),
          (thrown: unknown) => on(() => fail(thrown)),
        );
        break;
      case 'signal':
        wait.arm((value) => on(() => resume(value)));
        break;
    }
    if ('frees' in wait && wait.frees === true) run.freed?.();
  }
}

/** An exchange on its way, and whom to tell of it. */
interface Run {
  readonly exchange: Exchange;
  readonly ended: (thrown?: unknown) => void;
  readonly freed: (() => void) | undefined;
  /** Its end has come: what is done then is on its way. */
  readonly isOver?: boolean;
}
