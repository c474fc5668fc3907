import type { Caller } from '../../shared/caller.js';
import { isAdministrator } from '../../shared/caller.js';
import { SYSTEM_USER } from '../../store/index.js';
import type { ContentNode, Lock } from './node.js';

/** A lock, and the node that holds it. */
export interface HeldLock {
  readonly holder: ContentNode;
  readonly lock: Lock;
}

/** The node's own lock, if it is still in force. */
export const lockOf = ({ lock }: ContentNode, now: number): Lock | undefined =>
  lock === undefined || (lock.expires !== null && lock.expires <= now) ? undefined : lock;

export const withoutLock = ({ lock: _lock, ...rest }: ContentNode): ContentNode => rest;

/**
 * The lock that protects the last node of the chain: its own, or the nearest deep one above it. A file is one thing with its content, so the
 * lock of a node that has a jcr:content protects that too.
 */
export function lockOver(chain: readonly ContentNode[], now: number): HeldLock | undefined {
  for (let at = chain.length - 1; at >= 0; at--) {
    const holder = chain[at];
    if (holder === undefined) continue;
    const lock = lockOf(holder, now);
    if (lock !== undefined && (lock.deep || covers(chain, at))) return { holder, lock };
  }
  return undefined;
}

/** Whether a lock of this node that is not deep protects the last one. */
const covers = (chain: readonly ContentNode[], at: number): boolean =>
  at === chain.length - 1 || (at === chain.length - 2 && chain[at + 1]?.name === 'jcr:content');

/** Whether the caller holds the lock: its owner (in its session, where the lock is bound to one), or whoever shows its token. */
export const holdsLock = (lock: Lock, { userId, sessionId, lockTokens = [] }: Caller): boolean =>
  lockTokens.includes(lock.token) ||
  (lock.owner === userId && (lock.sessionId === null || lock.sessionId === sessionId));

/** Whether the caller may take the lock away: its holder, its owner in any session, and administrators. */
export const mayBreak = (lock: Lock, caller: Caller): boolean =>
  holdsLock(lock, caller) || lock.owner === caller.userId || isAdministrator(caller);

/** The lock that keeps the caller from changing the last node of the chain. */
export function foreignLockOver(chain: readonly ContentNode[], caller: Caller, now: number): HeldLock | undefined {
  if (caller.userId === SYSTEM_USER) return undefined;
  const held = lockOver(chain, now);
  return held === undefined || holdsLock(held.lock, caller) ? undefined : held;
}
