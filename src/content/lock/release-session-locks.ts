import { operation } from '../../store/index.js';
import { Change } from '../tree/change.js';
import { withoutLock } from '../tree/locking.js';
import { nodes } from '../tree/node.js';

export interface ReleaseSessionLocks {
  readonly sessionId: string;
}

/** How many locks one commit releases. */
const RELEASE_MAX = 40;

/** Takes away locks of a session that has ended (JCR 2.0 §17.2); true: there may be more. */
export const releaseSessionLocks = operation(
  'releaseSessionLocks',
  (state, { sessionId }: ReleaseSessionLocks, { caller }) => {
    const change = new Change(state, caller);
    const held = state.find(nodes, 'lockSession', [sessionId], { limit: RELEASE_MAX });
    for (const node of held) change.put(withoutLock(node));
    return change.decision(held.length === RELEASE_MAX);
  },
);
