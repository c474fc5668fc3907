import { ServiceError } from '../../shared/errors.js';
import { changersOf, privilegeNames } from '../../shared/rights/nodes.js';
import { type ReaderQuery, snapshotState } from '../../store/documents.js';
import type { ContentView } from './content-view.js';
import type { AccessEntry, ContentNode } from './node.js';
import { BELOW } from './subtree.js';
import { mounts, Tree } from './tree.js';

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

/** The caller's privileges at the node, by their names. */
export const privilegesAt = (content: ContentView, path: string): string[] =>
  privilegeNames(content.access.of(content.require(path)));

const policyOf = (content: ContentView, node: ContentNode): AccessControlPolicy => ({
  node,
  path: content.tree.pathOf(node) ?? '',
  entries: node.acl ?? [],
});

interface ChangersBelow {
  readonly partition: string;
  readonly nodeId: string;
}

/** Who may do more than read, and the first node below at which that is so. */
export interface ChangerBelow {
  readonly principal: string;
  readonly nodeId: string;
}

/** At most so many of them are told. */
export const CHANGERS_MAX = 1_000;

/** All whom the lists of nodes below this one let do more than read, by what `changersOf` says of each of these nodes. */
export const changersBelow: ReaderQuery<ChangersBelow, ChangerBelow[]> = {
  name: 'changersBelow',
  run(context, { partition, nodeId }) {
    const tree = new Tree(snapshotState(context, partition, 0), mounts.all);
    const found = new Map<string, string>();
    for (const { id } of context.log.prepare(`${BELOW} SELECT id FROM below WHERE own IS NOT NULL`).iterate(nodeId)) {
      const node = tree.get(String(id));
      for (const principal of changersOf((node && tree.chainOf(node)) ?? [])) {
        if (!found.has(principal)) found.set(principal, String(id));
      }
      if (found.size >= CHANGERS_MAX) break;
    }
    return [...found].map(([principal, at]) => ({ principal, nodeId: at }));
  },
};
