import type { ExpectedVersion } from '../tree/change.js';
import { contentOperation, type NodeAnswer } from '../tree/content-operation.js';
import { holdsLock } from '../tree/locking.js';
import { expireLater } from './expire-lock.js';
import { requireLock } from './held-lock.js';
import { type LockTimeout, timeoutOf } from './lock-timeout.js';

export interface RefreshLockInput extends LockTimeout, ExpectedVersion {
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
