import type { Draft } from '../../store/index.js';
import { freezings } from '../collection/version.js';
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

/** How many trees may be frozen at once that a change is compared with. */
const FREEZINGS_MAX = 50;

/** Tells trees that are being frozen that nodes in them have come or gone: they are planned anew. */
export function breakFreezings(draft: Draft, changes: readonly NodeChange[], trees: Trees): void {
  for (const freezing of draft.range(freezings, 'started', [0], FREEZINGS_MAX)) {
    if (freezing.broken || !changes.some((change) => isRestructured(change, trees, freezing.node))) continue;
    draft.put(freezings, { ...freezing, broken: true });
  }
}
