import type { Caller } from '../../shared/caller.js';
import { isAdministrator } from '../../shared/caller.js';
import { ServiceError } from '../../shared/errors.js';
import { SYSTEM_USER } from '../../store/index.js';
import type { ContentNode, Lock } from '../model/node.js';

/** A lock, and the node that holds it. */
export interface HeldLock {
  readonly holder: ContentNode;
  readonly lock: Lock;
}

/** The node's own lock, if it is still in force. */
export const lockOf = ({ lock }: ContentNode, now: number): Lock | undefined =>
  lock === undefined || (lock.expires !== null && lock.expires <= now) ? undefined : lock;

/** The lock that protects the last node of the chain: its own, or the nearest deep one above it. */
export function lockOver(chain: readonly ContentNode[], now: number): HeldLock | undefined {
  for (let at = chain.length - 1; at >= 0; at--) {
    const holder = chain[at];
    if (holder === undefined) continue;
    const lock = lockOf(holder, now);
    if (lock !== undefined && (lock.deep || at === chain.length - 1)) return { holder, lock };
  }
  return undefined;
}

/** Whether the caller holds the lock: its owner (in its session, where the lock is bound to one), or whoever shows its token. */
export const holdsLock = (lock: Lock, { userId, sessionId, lockTokens = [] }: Caller): boolean =>
  lockTokens.includes(lock.token) ||
  (lock.owner === userId && (lock.sessionId === null || lock.sessionId === sessionId));

/** Whether the caller may take the lock away: its holder, its owner in any session, and administrators. */
export const mayBreak = (lock: Lock, caller: Caller): boolean =>
  holdsLock(lock, caller) || lock.owner === caller.userId || isAdministrator(caller);

/** @throws CONFLICT the node is locked by somebody else */
export function requireUnlocked(chain: readonly ContentNode[], path: string, caller: Caller, now: number): void {
  if (caller.userId === SYSTEM_USER) return;
  const held = lockOver(chain, now);
  if (held === undefined || holdsLock(held.lock, caller)) return;
  throw new ServiceError('CONFLICT', `expected '${path}' to be unlocked, but ${held.lock.owner} holds a lock`, {
    reason: 'locked',
    resourceId: held.holder.id,
  });
}

/**
 * A checked-in node is read-only, and so is what lies below it up to the next versionable node (JCR 2.0 §15.2.2).
 * @throws CONFLICT
 */
export function requireCheckedOut(chain: readonly ContentNode[], path: string): void {
  const versionable = chain.findLast(({ versioning }) => versioning !== undefined);
  if (versionable?.versioning?.checkedOut !== false) return;
  throw new ServiceError('CONFLICT', `expected '${path}' to be checked out, but it is checked in`, {
    reason: 'checked_in',
    resourceId: versionable.id,
  });
}
