import { type ErrorCode, type ErrorInfo, ServiceError, unavailable } from '../../shared/errors.js';
import type { Answered, Asking } from '../../store/index.js';
import type { Change } from '../tree/change.js';

/** A refusal as plain data: it is decided by the reader or by another partition, and refused by the decision. */
export interface Problem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly info: ErrorInfo;
}

/** An answer to large work that cannot be done. */
export interface Refused {
  readonly problem: Problem;
}

/** An answer to large work that can be done. */
export interface Ready {
  readonly problem: null;
}

/** How often large work is planned anew because the tree changed meanwhile. */
export const PLAN_ROUNDS_MAX = 5;

export const problemOf = ({ code, message, info }: ServiceError): Problem => ({ code, message, info });

export const refusalOf = ({ code, message, info }: Problem): ServiceError => new ServiceError(code, message, info);

/** Does the work; gives its result, or the refusal that it throws. */
export function orRefused<T>(work: () => T): T | Refused {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof ServiceError) return { problem: problemOf(thrown) };
    throw thrown;
  }
}

/** One step of a decision on large work. */
interface LargeStep<Q, R, T> {
  /** What it is about, as the kind's subject tells it of a question. */
  readonly about: string;
  /** For the refusal that the tree never rests. */
  readonly path: () => string;
  /** What is asked next. `last`: what was answered before; `round`: how often it was asked. */
  readonly question: (last: R | undefined, round: number) => Q;
  /** What the decision makes of the newest answer, all answers being given too; undefined: too much was written since for it to hold. */
  readonly take: (newest: R, all: readonly R[]) => T | undefined;
}

/**
 * A kind of large work: a decision asks for it, it is made ready outside of the decision, and the decision takes it up as far as it still holds.
 * How it is made ready is said in `make-ready.ts`.
 */
export class LargeKind<Q, R extends Ready> {
  /** The kind of its asks. */
  readonly name: string;
  readonly #subject: (question: Q) => string;

  /** `subject`: what a question is about; several in one transaction may be of one kind. */
  constructor(name: string, subject: (question: Q) => string) {
    this.name = name;
    this.#subject = subject;
  }

  /** Whether the work was found to be too large for one decision. */
  isAsked(change: Change, about: string): boolean {
    return this.#answersOf(change, about).length > 0;
  }

  /** What is made of the newest answer, or the ask for another one. @throws as the answer says; UNAVAILABLE it changes faster than it is made ready */
  decide<T>(change: Change, { about, path, question, take }: LargeStep<Q, R, T>): T | Asking {
    const all = this.#answersOf(change, about).map((one) => readyIn<R>(one));
    const newest = all.at(-1);
    const taken = newest === undefined ? undefined : take(newest, all);
    if (taken !== undefined) return taken;
    if (all.length >= PLAN_ROUNDS_MAX) throw busyTree(path());
    return { ask: { kind: this.name, question: question(newest, all.length) } };
  }

  #answersOf({ answers }: Change, about: string): readonly Answered[] {
    return answers.filter(({ ask }) => ask.kind === this.name && this.#subject(ask.question as Q) === about);
  }
}

/** @throws what it was refused with; UNAVAILABLE whoever was asked failed */
function readyIn<R extends Ready>({ answer }: Answered): R {
  if ('error' in answer)
    throw unavailable(`expected large work to be planned, but that failed: ${answer.error.message}`, {
      reason: 'plan_failed',
    });
  const given = answer.value as R | Refused;
  if (given.problem !== null) throw refusalOf(given.problem);
  return given;
}

export const busyTree = (path: string) =>
  unavailable(`expected '${path}' to rest for a moment, but it changed ${PLAN_ROUNDS_MAX} times meanwhile; try again`, {
    reason: 'tree_busy',
  });

/** The refusal where what was staged is being swept by now: safe to repeat. */
export const workLost = (what: 'copy' | 'freezing' | 'import' | 'restore') =>
  unavailable(`expected the ${what} to be under way, but it took too long; try again`, { reason: `${what}_lost` });
