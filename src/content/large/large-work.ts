import { type ErrorCode, type ErrorInfo, ServiceError, unavailable } from '../../shared/errors.js';
import type { Answered, Asking } from '../../store/index.js';
import type { Change } from '../tree/change.js';

/** A refusal as plain data: it is decided by the reader or by another partition, and refused by the decision. */
export interface Problem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly info: ErrorInfo;
}

/** How often large work is planned anew because the tree changed meanwhile. */
export const PLAN_ROUNDS_MAX = 5;

export const problemOf = ({ code, message, info }: ServiceError): Problem => ({ code, message, info });

export const refusalOf = ({ code, message, info }: Problem): ServiceError => new ServiceError(code, message, info);

/** What was answered of this kind about this thing, oldest first. */
export const answersOf = (change: Change, kind: string, isAbout: (question: unknown) => boolean): readonly Answered[] =>
  change.answers.filter(({ ask }) => ask.kind === kind && isAbout(ask.question));

/** The value of an answer. @throws UNAVAILABLE whoever was asked failed */
export function answered<T>({ answer }: Answered): T {
  if ('value' in answer) return answer.value as T;
  throw unavailable(`expected large work to be planned, but that failed: ${answer.error.message}`, {
    reason: 'plan_failed',
  });
}

export const asking = (kind: string, question: unknown): Asking => ({ ask: { kind, question } });

export const busyTree = (path: string) =>
  unavailable(`expected '${path}' to rest for a moment, but it changed ${PLAN_ROUNDS_MAX} times meanwhile; try again`, {
    reason: 'tree_busy',
  });
