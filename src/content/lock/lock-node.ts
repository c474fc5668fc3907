import { badRequest } from '../../shared/errors.js';
import type { Asking } from '../../store/index.js';
import type { Change, ExpectedVersion } from '../tree/change.js';
import { contentOperation, type NodeAnswer } from '../tree/content-operation.js';
import { lockOver } from '../tree/locking.js';
import { requireNoLockBelow } from '../tree/locks-below.js';
import type { Lock } from '../tree/node.js';
import { withMixinType } from '../tree/with-mixin.js';
import { expireLater } from './expire-lock.js';
import { type LockTimeout, timeoutOf } from './lock-timeout.js';

export interface LockNodeInput extends ExpectedVersion, LockTimeout {
  readonly path: string;
  /** Default: false. */
  readonly isDeep?: boolean | null;
  /** Default: false: it outlives the session. */
  readonly isSessionScoped?: boolean | null;
  readonly ownerInfo?: string | null;
}

const OWNER_INFO_CHARS_MAX = 255;

/** Locks a node for the caller (JCR 2.0 §17.4). Who may lock may also make the node lockable. */
export const lockNode = contentOperation('lockNode', (change, input: LockNodeInput): NodeAnswer | Asking => {
  const node = change.at(input.path);
  change.requireVersion(node, input.expectedVersion);
  change.require(node, 'jcr:lockManagement');
  const lock = newLock(change, input);
  const held = lockOver(change.tree.chainOf(node) ?? [node], change.now);
  if (held !== undefined) throw change.locked(node, held);
  const asking = requireNoLockBelow(change, node, lock.deep);
  if (asking !== undefined) return asking;
  // JCR 2.0 §15.2.2: a lock is no change of a checked-in node, nor is what it takes to hold one.
  const isLockable = change.types.isA(node, 'mix:lockable');
  change.put({ ...(isLockable ? node : withMixinType(change, node, 'mix:lockable')), lock });
  expireLater(change, node, lock);
  return { nodeId: node.id };
});

/** @throws BAD_REQUEST */
function newLock(change: Change, input: LockNodeInput): Lock {
  const { userId, sessionId } = change.caller;
  const isSessionScoped = input.isSessionScoped === true;
  if (isSessionScoped && sessionId === null)
    throw badRequest('expected a request of a session, as the lock is to end with it, but the request has none', {
      reason: 'no_session',
    });
  const ownerInfo = input.ownerInfo ?? null;
  if (ownerInfo !== null && ownerInfo.length > OWNER_INFO_CHARS_MAX)
    throw badRequest(
      `expected 'ownerInfo' of at most ${OWNER_INFO_CHARS_MAX} characters, but it has ${ownerInfo.length}`,
    );
  return {
    token: change.draft.ids.next(),
    owner: userId,
    ownerInfo,
    deep: input.isDeep === true,
    sessionId: isSessionScoped ? sessionId : null,
    ...timeoutOf(change, input),
  };
}
