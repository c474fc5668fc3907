import type { Answer, Ask } from '../../store/index.js';
import { Asked } from './failure.js';
import type { Run } from './run.js';

/**
 * The answer to a question that the interpreter cannot answer itself; leaves the run where there is none yet. Answers are used in the order of
 * the asks; one whose question is not asked any more (the instance was changed in between) is passed over, as are those before it.
 */
export function ask(run: Run, kind: string, question: unknown): Answer {
  const { answers } = run.context;
  const text = JSON.stringify(question);
  for (let at = run.answered; at < answers.length; at++) {
    const each = answers[at];
    if (each === undefined || !isSame(each.ask, kind, text)) continue;
    run.answered = at + 1;
    return each.answer;
  }
  throw new Asked({ kind, question });
}

const isSame = (asked: Ask, kind: string, question: string) =>
  asked.kind === kind && JSON.stringify(asked.question) === question;
