import { unavailable } from '../../shared/errors.js';
import type { Change } from '../tree/change.js';
import { contentOperation } from '../tree/content-operation.js';
import type { VersionedNodeInput } from './add-version-control.js';
import { managed } from './version-history.js';

/** Makes a checked-in node changeable (JCR 2.0 §15.2.3). @throws BAD_REQUEST it is not versionable; UNAVAILABLE it is checked out already; CONFLICT locked */
export const checkout = contentOperation('checkout', (change, input: VersionedNodeInput): true =>
  checkOut(change, input),
);

export function checkOut(change: Change, input: VersionedNodeInput): true {
  const node = managed(change, change.atVersion(input));
  const { checkedOut, baseVersion } = node.versioning;
  if (checkedOut) {
    const message = `expected '${input.path}' to be checked in, but it is checked out already`;
    throw unavailable(message, { reason: 'checked_out', resourceId: node.id });
  }
  change.put({ ...node, versioning: { checkedOut: true, baseVersion, predecessors: [baseVersion] } });
  return true;
}
