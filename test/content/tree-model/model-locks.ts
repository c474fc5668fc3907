import type { Caller } from '../../../src/shared/caller.js';
import { chainOf, type ModelLock, type ModelNode, within } from './model-tree.js';

/** The node's own lock, while it lasts. */
export const lockOf = ({ lock }: ModelNode, now: number): ModelLock | null =>
  lock === null || (lock.expires !== null && lock.expires <= now) ? null : lock;

/** The lock that protects the node: its own, that of its file, or a deep one above; the nearest. */
export function lockOver(node: ModelNode, now: number): ModelLock | null {
  for (const holder of chainOf(node).reverse()) {
    const lock = lockOf(holder, now);
    const isFile = holder === node.parent && node.name === 'jcr:content';
    if (lock !== null && (holder === node || lock.deep || isFile)) return lock;
  }
  return null;
}

export const holds = (lock: ModelLock, { userId, sessionId, lockTokens = [] }: Caller): boolean =>
  lockTokens.includes(lock.token) ||
  (lock.owner === userId && (lock.sessionId === null || lock.sessionId === sessionId));

/** Whether somebody else's lock protects the node. */
export function isLockedFor(node: ModelNode, caller: Caller, now: number): boolean {
  const lock = lockOver(node, now);
  return lock !== null && !holds(lock, caller);
}

/** Whether somebody else holds a lock that this one would cover. */
export function isLockedBelow(node: ModelNode, deep: boolean, caller: Caller, now: number): boolean {
  const covered = [...within(node)].filter(
    (one) => one !== node && (deep || (one.parent === node && one.name === 'jcr:content')),
  );
  return covered.some((one) => {
    const lock = lockOf(one, now);
    return lock !== null && !holds(lock, caller);
  });
}
