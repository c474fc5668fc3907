import { badRequest, limitExceeded } from '../../shared/errors.js';
import type { Change } from './change.js';
import type { AccessEntry, ContentNode } from './node.js';
import { privilegeName } from './privilege.js';

/** An entry as a client gives it: privileges by any of their names. */
export interface GivenEntry {
  readonly principal: string;
  readonly privileges: readonly string[];
  /** Default: true. */
  readonly allow?: boolean | null;
}

/** Entries of one node: they are kept within its document. */
export const ENTRIES_MAX = 500;
const PRINCIPAL_CHARS_MAX = 255;

/** The entry as it is stored. Whether there is such a principal is not asked: it may come later. @throws BAD_REQUEST */
export function entryOf({ principal, privileges, allow }: GivenEntry): AccessEntry {
  if (principal.trim() === '' || principal.length > PRINCIPAL_CHARS_MAX)
    throw badRequest(
      `expected a principal of 1 to ${PRINCIPAL_CHARS_MAX} characters, but found '${principal.slice(0, 50)}'`,
    );
  if (privileges.length === 0)
    throw badRequest(`expected at least one privilege for '${principal}', but found none`, { reason: 'no_privilege' });
  return { principal, privileges: [...new Set(privileges.map(privilegeName))], allow: allow ?? true };
}

/**
 * Gives the node a list of its own; undefined takes it away. One write, however much lies below. A list may well lock out everybody:
 * administrators are not asked.
 * @throws FORBIDDEN; CONFLICT (locked, checked in); LIMIT_EXCEEDED
 */
export function putEntries(change: Change, node: ContentNode, entries: readonly AccessEntry[] | undefined): void {
  change.require(node, 'jcr:modifyAccessControl');
  change.requireChangeable(node);
  if (entries !== undefined && entries.length > ENTRIES_MAX)
    throw limitExceeded(`expected at most ${ENTRIES_MAX} entries at a node, but found ${entries.length}`);
  const { acl: _acl, ...rest } = node;
  change.put(entries === undefined || entries.length === 0 ? rest : { ...rest, acl: entries });
}
