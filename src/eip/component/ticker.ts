import type { ComponentContext } from './component.js';

/** One run of a ticker: when it was due, began and ended, in ms of the domain's clock. */
export interface Run {
  readonly due: number;
  readonly began: number;
  readonly ended: number;
}

/** When it runs next: `previous` is the run before, none at first. `undefined`: never again. An instant that has passed counts as now. */
export type Rhythm = (previous: Run | undefined) => number | undefined;

/** Runs work again and again, one run at a time: what timers and pollers have in common. */
export class Ticker {
  readonly #context: ComponentContext;
  readonly #rhythm: Rhythm;
  /** Calls `done` once, when the next run may begin. */
  readonly #work: (done: () => void) => void;
  #takeBack: (() => void) | undefined;
  /** Counted at each stop, so that a run which ends behind it begins nothing. */
  #life = 0;
  #isPaused = false;

  constructor(context: ComponentContext, rhythm: Rhythm, work: (done: () => void) => void) {
    this.#context = context;
    this.#rhythm = rhythm;
    this.#work = work;
  }

  start(): void {
    this.#isPaused = false;
    this.#plan(this.#life, undefined);
  }

  /** Nothing begins any more. A run that has begun goes on. */
  stop(): void {
    this.#life++;
    this.#takeBack?.();
    this.#takeBack = undefined;
  }

  /** As Camel's timers: they go on, and do nothing. */
  suspend(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
  }

  #plan(life: number, previous: Run | undefined): void {
    const at = this.#rhythm(previous);
    if (at === undefined || life !== this.#life) return;
    this.#takeBack = this.#context.flow.at(Math.max(at, this.#context.now()), () => this.#run(life, at));
  }

  /** Runs, and again while the next run is due at once and nobody else waits for a turn. */
  #run(life: number, due: number): void {
    for (let at = due; ; ) {
      const began = this.#context.now();
      let run: Run | undefined;
      let isBehind = false;
      const done = () => {
        if (run !== undefined) return;
        run = { due: at, began, ended: this.#context.now() };
        if (isBehind) this.#plan(life, run);
      };
      if (this.#isPaused) done();
      else this.#work(done);
      isBehind = true;
      if (run === undefined || life !== this.#life) return;
      const next = this.#rhythm(run);
      if (next === undefined) return;
      if (next > this.#context.now() || this.#context.flow.isLate()) {
        this.#takeBack = this.#context.flow.at(Math.max(next, this.#context.now()), () => this.#run(life, next));
        return;
      }
      at = next;
    }
  }
}
