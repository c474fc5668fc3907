import { badRequest, unavailable } from '../../shared/errors.js';
import type { Asking } from '../../store/index.js';
import { withMixin } from '../edit/mixins.js';
import type { Change, ExpectedVersion } from '../tree/change.js';
import { contentOperation, isAsking, type NodeAnswer } from '../tree/content-operation.js';
import { FREEZE_LIMITS, makeVersion } from './make-version.js';
import { managed, type Versionable } from './version-history.js';

/** A node with versions, by its path. */
export interface VersionedNodeInput extends ExpectedVersion {
  readonly path: string;
}

/** Makes a node versionable (mix:versionable) and checks it in: its first version is `1.0`. @throws BAD_REQUEST it is versionable already */
export const addVersionControl = contentOperation(
  'addVersionControl',
  (change, input: VersionedNodeInput): NodeAnswer | Asking => {
    const node = change.atVersion(input);
    if (change.types.isA(node, 'mix:versionable')) {
      const message = `expected '${input.path}' not to be versionable yet, but it is`;
      throw badRequest(message, { reason: 'versionable_already', resourceId: node.id });
    }
    const version = makeVersion(change, managed(change, withMixin(change, node, 'mix:versionable')));
    return isAsking(version) ? version : { nodeId: node.id };
  },
  FREEZE_LIMITS,
);

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

function checkedIn(change: Change, input: VersionedNodeInput): VersionAnswer | Asking {
  const node = managed(change, change.atVersion(input));
  if (!node.versioning.checkedOut) {
    const message = `expected '${input.path}' to be checked out, but it is checked in already`;
    throw unavailable(message, { reason: 'checked_in', resourceId: node.id });
  }
  const version = makeVersion(change, node);
  return isAsking(version) ? version : { versionId: version.id };
}

/** Makes a checked-in node changeable (JCR 2.0 §15.2.3). @throws BAD_REQUEST it is not versionable; UNAVAILABLE it is checked out already; CONFLICT locked */
export const checkout = contentOperation('checkout', (change, input: VersionedNodeInput): true =>
  checkOut(change, input),
);

function checkOut(change: Change, input: VersionedNodeInput): true {
  const node = managed(change, change.atVersion(input));
  const { checkedOut, baseVersion } = node.versioning;
  if (checkedOut) {
    const message = `expected '${input.path}' to be checked in, but it is checked out already`;
    throw unavailable(message, { reason: 'checked_out', resourceId: node.id });
  }
  change.put({ ...node, versioning: { checkedOut: true, baseVersion, predecessors: [baseVersion] } });
  return true;
}

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

/** The node, which is versionable and checked out. @throws as {@link managed}; BAD_REQUEST it is checked in */
export function requireCheckedOut(change: Change, input: VersionedNodeInput): Versionable {
  const node = managed(change, change.atVersion(input));
  if (node.versioning.checkedOut) return node;
  throw badRequest(`expected '${input.path}' to be checked out, but it is checked in`, {
    reason: 'checked_in',
    resourceId: node.id,
  });
}
