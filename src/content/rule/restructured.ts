import type { NodeChange } from './change-event.js';
import type { Tree } from './tree.js';

/**
 * Whether the change takes a node out of the tree below `rootId`, brings one in that was elsewhere, or retypes one: what looks at each node by
 * itself would miss what lies below it.
 */
export function isRestructured({ before, after }: NodeChange, trees: Trees, rootId: string): boolean {
  if (before === undefined) return false;
  const isSameType = after?.type === before.type && after.mixins.join() === before.mixins.join();
  if (isSameType && after.parent === before.parent) return false;
  return trees.before.isWithin(before, rootId) || (after !== undefined && trees.after.isWithin(after, rootId));
}

/** The tree before a commit and behind it. */
export interface Trees {
  readonly before: Tree;
  readonly after: Tree;
}
