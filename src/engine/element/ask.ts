import { seedOf } from '../../shared/ids.js';
import type { Answer, Answered, Ask } from '../../store/index.js';
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

/** A long question is kept by its hash, for it holds all variables that a script sees; nobody asks it again. */
export function keptAnswer({ ask, answer }: Answered): Answered {
  const text = JSON.stringify(ask.question);
  return text.length <= QUESTION_KEPT_MAX ? { ask, answer } : { ask: { ...ask, question: hashed(text) }, answer };
}

const QUESTION_KEPT_MAX = 1_024;

const hashed = (question: string) => ({ hash: seedOf(question) });

function isSame(asked: Ask, kind: string, question: string): boolean {
  if (asked.kind !== kind) return false;
  const text = JSON.stringify(asked.question);
  return text === question || (text.length < HASHED_LENGTH_MAX && text === JSON.stringify(hashed(question)));
}

const HASHED_LENGTH_MAX = 64;
