import { badRequest } from '../../shared/errors.js';
import { putEntries } from '../tree/access-entries.js';
import type { ExpectedVersion } from '../tree/change.js';
import { contentOperation } from '../tree/content-operation.js';

export interface DeleteAccessControlInput extends ExpectedVersion {
  readonly path: string;
  readonly principal: string;
}

/** Takes all entries of a principal from a node's access control list. */
export const deleteAccessControl = contentOperation(
  'deleteAccessControl',
  (change, { path, principal, expectedVersion }: DeleteAccessControlInput): boolean => {
    const node = change.at(path);
    change.requireVersion(node, expectedVersion);
    change.require(node, 'jcr:modifyAccessControl');
    const entries = node.acl ?? [];
    const left = entries.filter((one) => one.principal !== principal);
    if (left.length === entries.length)
      throw badRequest(`expected an entry of '${principal}' at '${path}', but there is none`, {
        reason: 'entry_not_found',
      });
    putEntries(change, node, left);
    return true;
  },
);
