import { badRequest, limitExceeded } from '../../shared/errors.js';
import { privilegeName } from '../../shared/rights/nodes.js';
import type { Change, ExpectedVersion } from '../tree/change.js';
import { contentOperation, type NodeAnswer } from '../tree/content-operation.js';
import type { AccessEntry, ContentNode } from '../tree/node.js';

/** Either `entries`, or `principal` with `privileges`. */
interface SetAccessControlInput extends ExpectedVersion {
  readonly path: string;
  /** The whole list; an empty one takes the node's list away. */
  readonly entries?: readonly GivenEntry[] | null;
  /** Its entries are replaced by one, behind all others. */
  readonly principal?: string | null;
  readonly privileges?: readonly string[] | null;
  /** Default: true. */
  readonly allow?: boolean | null;
}

interface AccessControlAnswer extends NodeAnswer {
  /** The node's list as it is now. */
  readonly entries: readonly AccessEntry[];
}

/** Sets the access control list of a node, or the entry of one principal in it (JCR 2.0 §16.5). */
export const setAccessControl = contentOperation(
  'setAccessControl',
  (change, input: SetAccessControlInput): AccessControlAnswer => {
    const node = change.atVersion(input);
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

interface DeleteAccessControlInput extends ExpectedVersion {
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

/** An entry as a client gives it: privileges by any of their names. */
interface GivenEntry {
  readonly principal: string;
  readonly privileges: readonly string[];
  /** Default: true. */
  readonly allow?: boolean | null;
}

/** Entries of one node: they are kept within its document. */
const ENTRIES_MAX = 500;
const PRINCIPAL_CHARS_MAX = 255;

/** The entry as it is stored. Whether there is such a principal is not asked: it may come later. @throws BAD_REQUEST */
function entryOf({ principal, privileges, allow }: GivenEntry): AccessEntry {
  if (principal.trim() === '' || principal.length > PRINCIPAL_CHARS_MAX)
    throw badRequest(
      `expected a principal of 1 to ${PRINCIPAL_CHARS_MAX} characters, but found '${principal.slice(0, 50)}'`,
    );
  if (privileges.length === 0)
    throw badRequest(`expected at least one privilege for '${principal}', but found none`, { reason: 'no_privilege' });
  return { principal, privileges: [...new Set(privileges.map(privilegeName))], allow: allow ?? true };
}

/**
 * Gives the node a list of its own; an empty one takes it away. One write, however much lies below. A list may well lock out everybody:
 * administrators are not asked.
 * @throws FORBIDDEN; CONFLICT (locked, checked in); LIMIT_EXCEEDED
 */
function putEntries(change: Change, node: ContentNode, entries: readonly AccessEntry[]): void {
  change.require(node, 'jcr:modifyAccessControl');
  change.requireChangeable(node);
  if (entries.length > ENTRIES_MAX)
    throw limitExceeded(`expected at most ${ENTRIES_MAX} entries at a node, but found ${entries.length}`);
  const { acl: _acl, ...rest } = node;
  change.put(entries.length === 0 ? rest : { ...rest, acl: entries });
}
