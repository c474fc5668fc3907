import { messageOf, ServiceError } from '../../shared/errors.js';
import { seedOf } from '../../shared/ids.js';
import type { Answer, Answered, Ask } from '../../store/index.js';
import type { Token, Variables } from './instance-state.js';
import { isAtMost } from './native.js';
import type { Place } from './prepared.js';
import type { Run } from './run.js';

/** Leaves a run that needs an answer; caught where the run began. It is not an error: the run is made anew with the answer. */
export class Asked {
  readonly ask: Ask;

  constructor(ask: Ask) {
    this.ask = ask;
  }
}

/** An error of the model's own making (BPMN 2.0 §10.5.1): looks for a boundary event from the token's activity outwards. */
export class BpmnError {
  readonly token: Token;
  readonly code: string;
  readonly message: string | null;
  /** What comes with it, for the event that catches it alone. */
  readonly variables: Variables;

  constructor(token: Token, code: string, message: string | null, variables: Variables = {}) {
    this.token = token;
    this.code = code;
    this.message = message;
    this.variables = variables;
  }
}

/** Sentence and details of a refusal. */
interface Failure {
  /** Reads on after "expected": `to evaluate '${a}' of element 'x'`. */
  readonly expected: string;
  readonly cause: unknown;
  readonly expression?: string;
  readonly script?: string;
}

/** The refusal of a run that cannot go on. */
export function executionFailed(place: Place, failure: Failure): ServiceError {
  const { expected, cause, ...source } = failure;
  const { id } = place.element;
  return new ServiceError('EXECUTION_FAILED', `expected ${expected} of element '${id}', but ${messageOf(cause)}`, {
    details: { elementId: id, ...source, cause: messageOf(cause) },
  });
}

/**
 * The answer to a question that the interpreter cannot answer itself; leaves the run where there is none yet, and nobody gives it at once. Answers are used in the order of
 * the asks; one whose question is not asked any more (the instance was changed in between) is passed over, as are those before it.
 */
export function ask(run: Run, kind: string, question: unknown): Answer {
  const { answers } = run.context;
  const text = run.answered < answers.length ? JSON.stringify(question) : '';
  for (let each = answers[run.answered]; each !== undefined; each = answers[run.answered]) {
    run.answered++;
    if (isSame(each.ask, kind, text)) return each.answer;
  }
  const asked = { kind, question };
  const answer = run.context.answer?.(asked);
  if (answer === undefined) throw new Asked(asked);
  run.answered = answers.push({ ask: asked, answer });
  return answer;
}

/** A long question is kept by its hash, for it holds all variables that a script sees; nobody asks it again. */
export function keptAnswer({ ask, answer }: Answered): Answered {
  if (isAtMost(ask.question, QUESTION_KEPT_MAX)) return { ask, answer };
  const text = textOf(ask.question);
  return text.length <= QUESTION_KEPT_MAX ? { ask, answer } : { ask: { ...ask, question: hashed(text) }, answer };
}

const QUESTION_KEPT_MAX = 1_024;

/** Texts of what was asked: a run that asks again and again looks at each of them again and again. */
const texts = new WeakMap<object, string>();

function textOf(question: unknown): string {
  if (typeof question !== 'object' || question === null) return JSON.stringify(question);
  const known = texts.get(question) ?? JSON.stringify(question);
  texts.set(question, known);
  return known;
}

const hashed = (question: string) => ({ hash: seedOf(question) });

function isSame(asked: Ask, kind: string, question: string): boolean {
  const text = textOf(asked.question);
  return asked.kind === kind && (text === question || text === JSON.stringify(hashed(question)));
}
