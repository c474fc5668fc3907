import { badRequest, ServiceError } from '../../shared/errors.js';
import { nodes } from '../collections.js';
import type { ContentNode } from '../model/node.js';
import type { Change } from '../rule/change.js';
import { contentOperation, type ExpectedVersion } from '../rule/content-operation.js';
import { subtreeOf } from '../rule/subtree.js';

export interface DeleteNodeInput extends ExpectedVersion {
  readonly path: string;
}

/** False: there is no such node. */
export const deleteNode = contentOperation('deleteNode', (change, input: DeleteNodeInput): boolean => {
  const node = change.find(input.path);
  if (node === undefined) return false;
  change.requireVersion(node, input.expectedVersion);
  removeSubtree(change, node);
  return true;
});

/**
 * Removes the node with all that lies below it.
 * @throws FORBIDDEN; CONFLICT (locked by somebody else, checked in, or a strong reference from outside points into it)
 */
export function removeSubtree(change: Change, node: ContentNode): void {
  const parent = change.tree.parentOf(node);
  if (parent === undefined) throw badRequest('the root cannot be deleted');
  change.require(parent, 'jcr:removeChildNodes');
  change.requireChangeable(parent);
  change.types.requireRemovable(change, node);
  const removed = subtreeOf(change, node) ?? [node];
  for (const one of removed) {
    change.require(one, 'jcr:removeNode');
    change.requireUnlocked(one);
  }
  requireUnreferenced(change, removed);
  for (const one of removed) change.remove(one);
}

/** How many holders of references are looked at, before it is said that there is one. */
const HOLDERS_MAX = 50;

/** @throws CONFLICT a node that stays has a strong reference to one of these (JCR 2.0 §3.6.4) */
export function requireUnreferenced(change: Change, removed: readonly ContentNode[]): void {
  const ids = new Set(removed.map(({ id }) => id));
  for (const target of removed) {
    const holders = change.draft.findMulti(nodes, 'strong', target.id, HOLDERS_MAX);
    const holder = holders.find((one) => !ids.has(one.id) && change.tree.chainOf(one) !== undefined);
    if (holder === undefined) continue;
    // Who may not read the holder learns that there is one, not where.
    const where = change.access.canRead(holder) ? `'${change.pathOf(holder)}'` : 'a node that you may not read';
    throw new ServiceError('CONFLICT', `${change.nameOf(target)} cannot be removed: ${where} refers to it`, {
      reason: 'referenced',
      ...change.resourceOf(target),
    });
  }
}
