import { messageOf, ServiceError } from '../../shared/errors.js';
import type { Answer, Ask, Command } from '../decision.js';
import type { Accepted } from './accepted.js';

/** Answers asks of one kind; what it throws becomes the answer's error. */
export type Evaluator = (question: never, command: Command) => unknown;

/** The answer to an ask; a failure is an answer too. */
export async function evaluate(
  evaluators: Readonly<Record<string, Evaluator>>,
  ask: Ask,
  command: Command,
): Promise<Answer> {
  const evaluator = evaluators[ask.kind];
  try {
    if (evaluator === undefined) throw new Error(`nothing answers an ask of kind '${ask.kind}'`);
    return { value: (await evaluator(ask.question as never, command)) ?? null };
  } catch (thrown) {
    return failedAnswer(thrown);
  }
}

/** The answer to an ask whose evaluator has thrown. */
export function failedAnswer(thrown: unknown): Answer {
  const code = thrown instanceof ServiceError ? { code: thrown.code } : {};
  return { error: { message: messageOf(thrown), ...code } };
}

/** Asks of one command. */
const ASKS_MAX = 1_000;

/** Commands whose ask is being answered. */
export class Asks {
  readonly #evaluators: Readonly<Record<string, Evaluator>>;
  /** Each ask is one of its own: a command that was taken back may ask again before its first ask is answered. */
  readonly #asking = new Set<{ readonly accepted: Accepted }>();

  constructor(evaluators: Readonly<Record<string, Evaluator>>) {
    this.#evaluators = evaluators;
  }

  /** Calls `then` with the answer, unless the command was taken back in between. */
  begin(accepted: Accepted, ask: Ask, then: (answer: Answer) => void): void {
    if (accepted.answers.length >= ASKS_MAX)
      throw new Error(`more than ${ASKS_MAX} asks in '${accepted.command.type}'`);
    const asking = { accepted };
    this.#asking.add(asking);
    accepted.aside?.(true);
    void evaluate(this.#evaluators, ask, accepted.command).then((answer) => {
      if (!this.#asking.delete(asking)) return;
      accepted.aside?.(false);
      then(answer);
    });
  }

  /** Takes all back: they are decided anew. */
  takeBack(): Accepted[] {
    const all = Array.from(this.#asking, ({ accepted }) => accepted);
    this.#asking.clear();
    for (const { aside } of all) aside?.(false);
    return all;
  }
}
