import { badRequest } from '../../shared/errors.js';
import type { Asking } from '../../store/index.js';
import type { Change, ExpectedVersion } from '../tree/change.js';
import { contentOperation } from '../tree/content-operation.js';
import { HookList } from '../tree/hook-list.js';
import type { ContentNode } from '../tree/node.js';
import { isUnreferenced } from '../tree/references.js';
import { subtreeOf } from '../tree/subtree.js';
import { deletePlanned, isPlanned, requireGoing } from './delete-plan.js';

export interface DeleteNodeInput extends ExpectedVersion {
  readonly path: string;
}

/** What goes with nodes that are removed, a whole subtree. */
export const onRemoved = new HookList<(change: Change, removed: readonly ContentNode[]) => void>('onRemoved');

/** How many nodes one decision removes itself: of each it reads children, history and what refers to it. */
export const AT_ONCE_MAX = 150;

/** @throws BAD_REQUEST nobody can delete it: the root, a standard folder, a protected child */
export function requireDeletable(change: Change, node: ContentNode): void {
  parentIn(change, node);
  change.types.requireRemovable(change, node);
}

function parentIn(change: Change, node: ContentNode): ContentNode {
  const parent = change.tree.parentOf(node);
  if (parent === undefined) throw badRequest('the root cannot be deleted');
  return parent;
}

/** False: there is no such node. */
export const deleteNode = contentOperation('deleteNode', (change, input: DeleteNodeInput): boolean | Asking => {
  const node = change.find(input.path);
  if (node === undefined) return false;
  change.requireVersion(node, input.expectedVersion);
  return removeSubtree(change, node) ?? true;
});

/**
 * Removes the node with all that lies below it. A large subtree is planned by the reader: the ask is to be given back, and comes with an
 * answer; it is then out of the tree at once, and swept behind the commit.
 * `atOnceMax`: how many nodes are not large. @throws FORBIDDEN; CONFLICT (locked by somebody else, checked in, or a strong reference from outside points into it)
 */
export function removeSubtree(change: Change, node: ContentNode, atOnceMax = AT_ONCE_MAX): Asking | undefined {
  const parent = parentIn(change, node);
  change.require(parent, 'jcr:removeChildNodes');
  change.require(node, 'jcr:removeNode');
  change.requireOpenFor(parent, node);
  change.requireUnlocked(node);
  change.types.requireRemovable(change, node);
  const removed = isPlanned(change, node) ? undefined : subtreeOf(change, node, atOnceMax);
  if (removed === undefined) return deletePlanned(change, node);
  for (const one of removed) requireGoing(change, one);
  if (!isUnreferenced(change, removed)) return deletePlanned(change, node);
  for (const goes of onRemoved.all) goes(change, removed);
  for (const one of removed) change.remove(one);
  return undefined;
}
