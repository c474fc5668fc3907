import { allSteps } from '../../store/index.js';
import type { Change } from './change.js';
import { type ContentNode, nodes } from './node.js';

/** How many nodes of a subtree one decision looks at itself. Larger ones are planned outside of it. */
export const SUBTREE_MAX = 400;

/** The node and all that lies below it, parents first; undefined when that is more than `max`. */
export const subtreeOf = (
  change: Pick<Change, 'draft'>,
  node: ContentNode,
  max = SUBTREE_MAX,
): ContentNode[] | undefined => allSteps(subtreeSteps(change, node, max));

/** As {@link subtreeOf}, node by node. */
export function* subtreeSteps(
  change: Pick<Change, 'draft'>,
  node: ContentNode,
  max: number,
): Generator<void, ContentNode[] | undefined, void> {
  const found = [node];
  for (let at = 0; at < found.length; at++) {
    yield;
    const parent = found[at]?.id ?? '';
    found.push(...change.draft.find(nodes, 'name', [parent], { limit: max - found.length + 1 }));
    if (found.length > max) return undefined;
  }
  return found;
}
