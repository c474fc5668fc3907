import { badRequest, ServiceError } from '../../shared/errors.js';
import { holdsLock, mayBreak } from '../../shared/rights/nodes.js';
import type { Asking } from '../../store/index.js';
import type { Change, ExpectedVersion } from '../tree/change.js';
import { contentOperation, type NodeAnswer } from '../tree/content-operation.js';
import { withMixinType } from '../tree/mixins.js';
import type { ContentNode, Lock } from '../tree/node.js';
import { lockOf, lockOver, withoutLock } from '../tree/protection.js';
import { expireLater } from './end-locks.js';
import { requireNoLockBelow } from './locks-below.js';

/** How long a lock is to last. */
interface LockTimeout {
  /** Seconds; null: until it is taken away. */
  readonly timeout?: number | null;
}

/** The timeout as a lock keeps it, beginning now. @throws BAD_REQUEST */
function timeoutOf({ now }: { readonly now: number }, { timeout }: LockTimeout): Pick<Lock, 'expires' | 'timeoutMs'> {
  if (timeout == null) return { expires: null, timeoutMs: null };
  if (!Number.isInteger(timeout) || timeout < 1)
    throw badRequest(`expected 'timeout' to be a whole number of seconds from 1 on, but it is ${timeout}`);
  const timeoutMs = timeout * 1_000;
  return { expires: now + timeoutMs, timeoutMs };
}

interface LockNodeInput extends ExpectedVersion, LockTimeout {
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
  const node = change.atVersion(input);
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

interface RefreshLockInput extends LockTimeout, ExpectedVersion {
  readonly path: string;
}

/** Begins the timeout of a lock anew (JCR 2.0 §17.11), with the same time where no other is given. */
export const refreshLock = contentOperation('refreshLock', (change, input: RefreshLockInput): NodeAnswer => {
  const node = change.atVersion(input);
  change.require(node, 'jcr:lockManagement');
  const held = requireLock(change, node);
  if (!holdsLock(held, change.caller)) throw change.locked(node, { holder: node, lock: held });
  const timeout = input.timeout ?? (held.timeoutMs === null ? null : held.timeoutMs / 1_000);
  const lock = { ...held, ...timeoutOf(change, { timeout }) };
  change.put({ ...node, lock });
  expireLater(change, node, lock);
  return { nodeId: node.id };
});

/** The lock that the node itself holds. @throws CONFLICT it holds none, be it that one above protects it */
function requireLock(change: Change, node: ContentNode): Lock {
  const lock = lockOf(node, change.now);
  if (lock !== undefined) return lock;
  const above = lockOver(change.tree.chainOf(node) ?? [node], change.now);
  const where = above === undefined ? '' : ` itself: the lock is at ${change.nameOf(above.holder)}`;
  throw new ServiceError('CONFLICT', `expected ${change.nameOf(node)} to hold a lock, but it holds none${where}`, {
    reason: 'not_locked',
    resourceId: node.id,
  });
}

interface UnlockNodeInput extends ExpectedVersion {
  readonly path: string;
  /** Shown beside those of the request. */
  readonly lockToken?: string | null;
}

/** Takes the lock that a node holds away (JCR 2.0 §17.5). */
export const unlockNode = contentOperation('unlockNode', (change, input: UnlockNodeInput): boolean => {
  const node = change.atVersion(input);
  change.require(node, 'jcr:lockManagement');
  const lock = requireLock(change, node);
  if (lock.token !== input.lockToken && !mayBreak(lock, change.caller))
    throw change.locked(node, { holder: node, lock });
  change.put(withoutLock(node));
  return true;
});
