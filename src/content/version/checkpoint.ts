import { badRequest } from '../../shared/errors.js';
import type { Asking } from '../../store/index.js';
import type { Change } from '../tree/change.js';
import { contentOperation, isAsking } from '../tree/content-operation.js';
import type { VersionedNodeInput } from './add-version-control.js';
import { FREEZE_LIMITS } from './check-in.js';
import { checkedIn, type VersionAnswer } from './checkin.js';
import { checkOut } from './checkout.js';
import { managed, type Versionable } from './version-history.js';

/** Makes a version, and leaves the node checked out (JCR 2.0 §15.2.4). @throws BAD_REQUEST it is not checked out, or not versionable; CONFLICT */
export const checkpoint = contentOperation(
  'checkpoint',
  (change, input: VersionedNodeInput): VersionAnswer | Asking => {
    requireCheckedOut(change, input);
    const version = checkedIn(change, input);
    if (!isAsking(version)) checkOut(change, { path: input.path });
    return version;
  },
  FREEZE_LIMITS,
);

/** @throws BAD_REQUEST */
export function requireCheckedOut(change: Change, input: VersionedNodeInput): Versionable {
  const node = managed(change, change.atVersion(input));
  if (node.versioning.checkedOut) return node;
  throw badRequest(`expected '${input.path}' to be checked out, but it is checked in`, {
    reason: 'checked_in',
    resourceId: node.id,
  });
}
