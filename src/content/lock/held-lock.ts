import { ServiceError } from '../../shared/errors.js';
import type { Change } from '../tree/change.js';
import { lockOf, lockOver } from '../tree/locking.js';
import type { ContentNode, Lock } from '../tree/node.js';

/** The lock that the node itself holds. @throws CONFLICT it holds none, be it that one above protects it */
export function requireLock(change: Change, node: ContentNode): Lock {
  const lock = lockOf(node, change.now);
  if (lock !== undefined) return lock;
  const above = lockOver(change.tree.chainOf(node) ?? [node], change.now);
  const where = above === undefined ? '' : ` itself: the lock is at ${change.nameOf(above.holder)}`;
  throw new ServiceError('CONFLICT', `expected ${change.nameOf(node)} to hold a lock, but it holds none${where}`, {
    reason: 'not_locked',
    resourceId: node.id,
  });
}
