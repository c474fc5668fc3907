import { type Asking, type Operation, operation } from '../../store/documents.js';
import { Change } from './change.js';

/** An operation on the tree. Several of them may be one commit, see `contentTransaction`. */
export interface ContentOperation<I, A> {
  /** The GraphQL field's name. */
  readonly name: string;
  /** Asks where the work is too large for one decision; it is then applied anew, with the answer in `change.answers`. */
  readonly apply: (change: Change, input: I) => A | Asking;
  /** As the store takes it: one commit of its own. */
  readonly operation: Operation<I, A>;
}

/** Declares an operation on the tree. `limits`: of one that publishes what was planned and staged. */
export const contentOperation = <I, A>(
  name: string,
  apply: (change: Change, input: I) => A | Asking,
  limits?: Operation<I, A>['limits'],
  mailbox?: Operation<I, A>['mailbox'],
): ContentOperation<I, A> => ({
  name,
  apply,
  operation: {
    ...operation(
      name,
      (state, input: I, { caller, answers }) => {
        const change = new Change(state, caller, answers);
        const answer = apply(change, input);
        return isAsking(answer) ? answer : change.decision(answer);
      },
      mailbox,
    ),
    ...(limits && { limits }),
  },
});

/** Whether an operation stops here until something is answered. */
export const isAsking = (answer: unknown): answer is Asking =>
  typeof answer === 'object' && answer !== null && 'ask' in answer;

/** The answer of most of them: which node it is about. */
export interface NodeAnswer {
  readonly nodeId: string;
}
