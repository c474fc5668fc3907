import { badRequest } from '../../shared/errors.js';
import { entryOf, type GivenEntry, putEntries } from '../tree/access-entries.js';
import type { ExpectedVersion } from '../tree/change.js';
import { contentOperation, type NodeAnswer } from '../tree/content-operation.js';
import type { AccessEntry, ContentNode } from '../tree/node.js';

/** Either `entries`, or `principal` with `privileges`. */
export interface SetAccessControlInput extends ExpectedVersion {
  readonly path: string;
  /** The whole list; an empty one takes the node's list away. */
  readonly entries?: readonly GivenEntry[] | null;
  /** Its entries are replaced by one, behind all others. */
  readonly principal?: string | null;
  readonly privileges?: readonly string[] | null;
  /** Default: true. */
  readonly allow?: boolean | null;
}

export interface AccessControlAnswer extends NodeAnswer {
  /** The node's list as it is now. */
  readonly entries: readonly AccessEntry[];
}

/** Sets the access control list of a node, or the entry of one principal in it (JCR 2.0 §16.5). */
export const setAccessControl = contentOperation(
  'setAccessControl',
  (change, input: SetAccessControlInput): AccessControlAnswer => {
    const node = change.at(input.path);
    change.requireVersion(node, input.expectedVersion);
    const entries = entriesOf(node, input);
    putEntries(change, node, entries);
    return { nodeId: node.id, entries };
  },
);

/** @throws BAD_REQUEST neither form, both, an unknown privilege */
function entriesOf(
  { acl = [] }: ContentNode,
  { entries, principal, privileges, allow = true }: SetAccessControlInput,
): AccessEntry[] {
  const isOne = principal != null || privileges != null;
  if (entries != null && !isOne) return entries.map(entryOf);
  if (entries != null || principal == null || privileges == null) {
    const found = entries != null ? 'both' : isOne ? 'one of the two' : 'neither';
    throw badRequest(`expected either 'entries', or 'principal' with 'privileges', but found ${found}`, {
      reason: 'argument_missing',
    });
  }
  return [...acl.filter((one) => one.principal !== principal), entryOf({ principal, privileges, allow })];
}
