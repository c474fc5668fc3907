import { Failure } from './failure.js';

/** What one evaluation may do besides its operators: characters and list entries that methods and comparisons go through. */
export const WORK_MAX = 1_000_000;

/** The step budget of one evaluation. Operators need none: there are no loops, so each runs once, and the parser limits their number. */
export class Work {
  #left = WORK_MAX;

  /** @throws Failure when the budget is used up */
  charge(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new Failure(`expected an evaluation within ${WORK_MAX} steps, but it needs more`);
  }
}
