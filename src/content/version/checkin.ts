import { unavailable } from '../../shared/errors.js';
import type { Asking } from '../../store/index.js';
import type { Change } from '../tree/change.js';
import { contentOperation, isAsking } from '../tree/content-operation.js';
import type { VersionedNodeInput } from './add-version-control.js';
import { FREEZE_LIMITS, makeVersion } from './check-in.js';
import { managed } from './version-history.js';

/** The answer of what makes or names a version. */
export interface VersionAnswer {
  readonly versionId: string;
}

/**
 * Makes a version of what a node and its subtree are now, and makes the node read-only (JCR 2.0 §15.2). @throws BAD_REQUEST it is not
 * versionable; UNAVAILABLE it is checked in already; CONFLICT it is locked by somebody else, or an item forbids it (ABORT)
 */
export const checkin = contentOperation(
  'checkin',
  (change, input: VersionedNodeInput): VersionAnswer | Asking => checkedIn(change, input),
  FREEZE_LIMITS,
);

export function checkedIn(change: Change, input: VersionedNodeInput): VersionAnswer | Asking {
  const node = managed(change, change.atVersion(input));
  if (!node.versioning.checkedOut) {
    const message = `expected '${input.path}' to be checked out, but it is checked in already`;
    throw unavailable(message, { reason: 'checked_in', resourceId: node.id });
  }
  const version = makeVersion(change, node);
  return isAsking(version) ? version : { versionId: version.id };
}
