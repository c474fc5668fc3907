import { badRequest } from '../../shared/errors.js';
import type { Asking } from '../../store/index.js';
import type { ExpectedVersion } from '../tree/change.js';
import { contentOperation, type NodeAnswer } from '../tree/content-operation.js';
import { requireCheckedOut, type VersionedNodeInput } from './check-in.js';
import { RESTORE_LIMITS, restore } from './restore.js';
import { versions } from './version.js';
import { managed, type VersionRef, versionAt } from './version-history.js';

/** A version by its name, or by a label. */
interface RestoreVersionInput extends ExpectedVersion {
  readonly path: string;
  readonly versionName?: string | null;
  readonly label?: string | null;
}

/**
 * Brings a node back to one of its versions, which it then follows, and leaves it checked in (JCR 2.0 §15.7). What was changed since the last
 * version is lost. Children are restored, kept or removed as their on-parent-version says; a node with the identifier of a restored one that is
 * elsewhere in the workspace is removed there.
 * @throws BAD_REQUEST it is not versionable, or which version is not said once; NOT_FOUND no such version; CONFLICT locked, or a reference breaks
 */
export const restoreVersion = contentOperation(
  'restoreVersion',
  (change, input: RestoreVersionInput): NodeAnswer | Asking => {
    const node = managed(change, change.atVersion(input));
    const version = versionAt(change, node, versionRef(input));
    if (version.number === 0)
      throw badRequest(`'${version.name}' cannot be restored: nothing is frozen in it`, {
        reason: 'root_version',
        resourceId: node.id,
      });
    return restore(change, node, version) ?? { nodeId: node.id };
  },
  RESTORE_LIMITS,
);

function versionRef({ versionName, label }: RestoreVersionInput): VersionRef {
  if (versionName != null && label == null) return { name: versionName };
  if (label != null && versionName == null) return { label };
  const found = label == null ? 'neither' : 'both';
  throw badRequest(`expected either 'versionName' or 'label', but found ${found}`, { reason: 'version_not_said' });
}

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
