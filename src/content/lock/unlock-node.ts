import type { ExpectedVersion } from '../tree/change.js';
import { contentOperation } from '../tree/content-operation.js';
import { mayBreak, withoutLock } from '../tree/locking.js';
import { requireLock } from './held-lock.js';

export interface UnlockNodeInput extends ExpectedVersion {
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
