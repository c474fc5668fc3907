import { allSteps, tableOf } from '../../store/documents.js';
import type { Change } from './change.js';
import { type ContentNode, nodes } from './node.js';

/**
 * SQL of the table `below` (id, parent, own, revision): a node, which is its one parameter, and all that lies below it, parents first. `own`:
 * not null where a node, the first left out, has an access control list.
 */
export const BELOW = `WITH RECURSIVE below (id, parent, own, revision) AS (
  SELECT id, c_parent, NULL, revision FROM ${tableOf(nodes)} WHERE id = ?
  UNION ALL
  SELECT d.id, d.c_parent, d.c_ownAcl, d.revision FROM below b JOIN ${tableOf(nodes)} d ON d.c_parent = b.id)`;

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
  for (const { id } of found) {
    yield;
    found.push(...change.draft.find(nodes, 'name', [id], { limit: max - found.length + 1 }));
    if (found.length > max) return undefined;
  }
  return found;
}
