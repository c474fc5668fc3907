import type { Answer, Ask } from '../decision.js';
import type { Accepted } from './accepted.js';
import { type Evaluator, evaluate } from './evaluate.js';

/** Asks of one command. */
export const ASKS_MAX = 1_000;

/** Commands whose ask is being answered. */
export class Asks {
  readonly #evaluators: Readonly<Record<string, Evaluator>>;
  readonly #asking = new Set<Accepted>();

  constructor(evaluators: Readonly<Record<string, Evaluator>>) {
    this.#evaluators = evaluators;
  }

  get isEmpty(): boolean {
    return this.#asking.size === 0;
  }

  /** Calls `then` with the answer, unless the command was taken back in between. */
  begin(accepted: Accepted, ask: Ask, then: (answer: Answer) => void): void {
    if (accepted.answers.length >= ASKS_MAX)
      throw new Error(`more than ${ASKS_MAX} asks in '${accepted.command.type}'`);
    this.#asking.add(accepted);
    void evaluate(this.#evaluators, ask, accepted.command).then((answer) => {
      if (this.#asking.delete(accepted)) then(answer);
    });
  }

  /** Takes all back: they are decided anew. */
  takeBack(): Accepted[] {
    const all = [...this.#asking];
    this.#asking.clear();
    return all;
  }
}
