/** Why an evaluation cannot go on; becomes the cause of an EXECUTION_FAILED that names the expression. */
export class Failure extends Error {
  override readonly name: string = 'Failure';
}

/** An expression used a name that is neither variable nor bean. */
export class UnknownName extends Failure {
  override readonly name = 'UnknownName';
  readonly unknown: string;

  constructor(unknown: string) {
    super(`unknown name '${unknown}'`);
    this.unknown = unknown;
  }
}

/** Steps of one evaluation besides its operators: characters and list entries that methods and comparisons go through. */
const WORK_MAX = 1_000_000;

/** The step budget of one evaluation. Operators need none: there are no loops, so each runs once, and the parser limits their number. */
export class Work {
  readonly #max: number;
  #left: number;

  constructor(max = WORK_MAX) {
    this.#max = max;
    this.#left = max;
  }

  /** @throws Failure when the budget is used up */
  charge(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new Failure(`expected an evaluation within ${this.#max} steps, but it needs more`);
  }
}
