import { badRequest } from '../../shared/errors.js';
import type { Asking } from '../../store/index.js';
import { contentOperation } from '../tree/content-operation.js';
import type { VersionedNodeInput } from './add-version-control.js';
import { requireCheckedOut } from './checkpoint.js';
import { RESTORE_LIMITS, restore } from './restore.js';
import { versions } from './version.js';

/**
 * Discards what was changed since the node was checked out: it is restored to the version that it follows, and checked in.
 * @throws BAD_REQUEST it is not checked out, not versionable, or has no version yet; CONFLICT
 */
export const uncheckout = contentOperation(
  'uncheckout',
  (change, input: VersionedNodeInput): true | Asking => {
    const node = requireCheckedOut(change, input);
    const base = change.draft.get(versions, node.versioning.baseVersion);
    if (base === undefined || base.number === 0)
      throw badRequest(`expected '${input.path}' to have a version to go back to, but it was never checked in`, {
        reason: 'no_version',
        resourceId: node.id,
      });
    return restore(change, node, base) ?? true;
  },
  RESTORE_LIMITS,
);
