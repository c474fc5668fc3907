import type { Evaluator, Reader } from '../../store/index.js';
import { LOCKS_BELOW, type LocksBelowAnswer, type LocksBelowQuestion } from '../tree/locks-below.js';
import { foreignLock } from './foreign-lock.js';

/** What answers the asks of locks: the reader looks through all of them. */
export const lockEvaluators = ({
  reader,
}: {
  readonly reader: Pick<Reader, 'query'>;
}): Readonly<Record<string, Evaluator>> => ({
  [LOCKS_BELOW]: async (
    { partition, nodeId, now }: LocksBelowQuestion,
    { caller }: Parameters<Evaluator>[1],
  ): Promise<LocksBelowAnswer> => {
    const { answer, revision } = await reader.query(partition, foreignLock, { nodeId, now }, caller);
    return { holderId: answer, revision };
  },
});
