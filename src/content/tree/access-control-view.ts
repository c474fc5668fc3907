import { ServiceError } from '../../shared/errors.js';
import type { ContentView } from './content-view.js';
import type { AccessEntry, ContentNode } from './node.js';
import { privilegeNames } from './privilege.js';

/** The access control list of one node, and where it is. */
export interface AccessControlPolicy {
  readonly node: ContentNode;
  readonly path: string;
  readonly entries: readonly AccessEntry[];
}

/** The node's own list. @throws BAD_REQUEST there is no such node; FORBIDDEN the caller may not read its list */
export function accessControlOf(content: ContentView, path: string): AccessControlPolicy {
  const node = content.require(path);
  if (!content.access.has(node, 'jcr:readAccessControl')) {
    const info = { reason: 'access_denied', resourceId: node.id };
    const message = `expected jcr:readAccessControl at '${content.tree.pathOf(node)}', but it is not granted`;
    throw new ServiceError('FORBIDDEN', message, info);
  }
  return policyOf(content, node);
}

/**
 * The lists that decide about the node, deepest first (JCR 2.0 §16.3): its own and those of the nodes above it, as far as they have any and
 * the caller may read them.
 */
export function effectiveAccessControlOf(content: ContentView, node: ContentNode): AccessControlPolicy[] {
  const chain = content.tree.chainOf(node) ?? [];
  return chain
    .filter(({ acl = [] }) => acl.length > 0)
    .filter((one) => content.access.has(one, 'jcr:readAccessControl'))
    .map((one) => policyOf(content, one))
    .reverse();
}

/** What the caller may do with the node, by the names of the privileges. */
export const privilegesAt = (content: ContentView, path: string): string[] =>
  privilegeNames(content.access.of(content.require(path)));

const policyOf = (content: ContentView, node: ContentNode): AccessControlPolicy => ({
  node,
  path: content.tree.pathOf(node) ?? '',
  entries: node.acl ?? [],
});
