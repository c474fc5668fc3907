/** How many steps of one exchange are remembered: those that a loop repeats without end are not. */
const STEPS_MAX = 1000;
/** Numbers of each step: its number in the context, when it was entered, and how long it took. */
const WIDTH = 3;

/** The way of one exchange through its routes: which steps it entered, when, and how long each took, in µs since the exchange began. */
export class Trail {
  /** By a clock that goes on by itself, in ms: when the exchange began. */
  readonly began: number;
  /** What is told of it to who collects spans; undefined: nothing. */
  span: { readonly traceparent: string; readonly parent: string | null } | undefined;
  readonly #steps: number[] = [];
  #left = 0;

  constructor(began: number) {
    this.began = began;
  }

  /** How many steps it entered that are not remembered. */
  get forgotten(): number {
    return this.#left;
  }

  get length(): number {
    return this.#steps.length / WIDTH;
  }

  /** Enters a step by its number. `now`: ms of the clock of `began`. Gives where it is remembered, for {@link leave}. */
  enter(step: number, now: number): number {
    const at = this.#steps.length;
    if (at >= STEPS_MAX * WIDTH) {
      this.#left++;
      return -1;
    }
    this.#steps.push(step, Math.round((now - this.began) * 1000), -1);
    return at;
  }

  /** Leaves it. Gives how long it took, in µs. */
  leave(at: number, now: number): number {
    const entered = this.#steps[at + 1];
    if (entered === undefined) return 0;
    const taken = Math.max(0, Math.round((now - this.began) * 1000) - entered);
    this.#steps[at + 2] = taken;
    return taken;
  }

  /** The steps in the order in which they were entered. `taken` is -1 of one that was not left. */
  *[Symbol.iterator](): IterableIterator<{ readonly step: number; readonly entered: number; readonly taken: number }> {
    const steps = this.#steps;
    for (let at = 0; at < steps.length; at += WIDTH)
      yield { step: steps[at] ?? 0, entered: steps[at + 1] ?? 0, taken: steps[at + 2] ?? -1 };
  }
}
