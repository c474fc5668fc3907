import { type Operation, operation } from '../../store/index.js';
import { Change } from './change.js';

/** An operation on the tree. Several of them may be one commit, see `contentTransaction`. */
export interface ContentOperation<I, A> {
  /** The GraphQL field's name. */
  readonly name: string;
  readonly apply: (change: Change, input: I) => A;
  /** As the store takes it: one commit of its own. */
  readonly operation: Operation<I, A>;
}

/** Declares an operation on the tree. */
export const contentOperation = <I, A>(
  name: string,
  apply: (change: Change, input: I) => A,
): ContentOperation<I, A> => ({
  name,
  apply,
  operation: operation(name, (state, input: I, { caller }) => {
    const change = new Change(state, caller);
    const answer = apply(change, input);
    return change.decision(answer);
  }),
});

/** The answer of most of them: which node it is about. */
export interface NodeAnswer {
  readonly nodeId: string;
}

/** What every change of a node may say: the version that the client has read. */
export interface ExpectedVersion {
  /** Default: any; the last writer wins. */
  readonly expectedVersion?: number | null;
}
