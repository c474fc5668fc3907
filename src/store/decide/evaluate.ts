import { messageOf, ServiceError } from '../../shared/errors.js';
import type { Answer, Ask, Command } from '../decision.js';

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
    const code = thrown instanceof ServiceError ? { code: thrown.code } : {};
    return { error: { message: messageOf(thrown), ...code } };
  }
}
