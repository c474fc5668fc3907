import { type AnyJobType, type Job, type JobAttempt, operation, takeOutcome } from '../../store/index.js';
import { Change } from '../tree/change.js';
import { type ContentNode, type Lock, nodes } from '../tree/node.js';
import { withoutLock } from '../tree/protection.js';

/** The type of the job that ends a lock when its time is over. */
const LOCK_TIMEOUT_JOB = 'lockTimeout';

/** Input of a job of the type {@link LOCK_TIMEOUT_JOB}. */
interface LockTimeoutInput {
  readonly nodeId: string;
}

/** Has the lock end at its time. A node has one lock, so it has one such job: a later time replaces the earlier. */
export function expireLater(change: Change, { id }: ContentNode, { expires }: Lock): void {
  if (expires === null) return;
  const input: LockTimeoutInput = { nodeId: id };
  change.jobs.push({ id: `lock-${id}`, type: LOCK_TIMEOUT_JOB, dueAt: expires, input });
}

/** Takes away the lock of a job's node, if its time is over. It has been no lock since: this tells so, and frees its place. */
export const expireLock = operation('expireLock', (state, attempt: JobAttempt, { caller }) => {
  const { job, done } = takeOutcome(state, attempt);
  const change = new Change(state, caller);
  const node = state.get(nodes, (job.input as LockTimeoutInput).nodeId);
  const expires = node?.lock?.expires ?? null;
  if (node !== undefined && expires !== null && expires <= state.now) change.put(withoutLock(node));
  const { write = [], ...decision } = change.decision(null);
  return { ...decision, write: [done, ...write] };
});

/** Jobs that end locks when their time is over. */
export const lockJobs: readonly AnyJobType[] = [
  {
    type: LOCK_TIMEOUT_JOB,
    run: ({ id, actor }: Job) => ({ operation: expireLock, input: { jobId: id, attempt: actor.context.attempt } }),
  },
];

interface ReleaseSessionLocks {
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
