import { badRequest } from '../../shared/errors.js';
import type { Change, ExpectedVersion } from '../tree/change.js';
import { contentOperation, type NodeAnswer } from '../tree/content-operation.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { keyBetween } from '../tree/order-key.js';

export interface OrderNodeInput extends ExpectedVersion {
  readonly path: string;
  /** The sibling that it is put before, by its name in the path; null: behind all. */
  readonly before?: string | null;
}

/** Puts a node before one of its siblings (JCR 2.0 §23.3): one write. */
export const orderNode = contentOperation('orderNode', (change, input: OrderNodeInput): NodeAnswer => {
  const node = change.at(input.path);
  change.requireVersion(node, input.expectedVersion);
  const parent = change.tree.parentOf(node);
  if (parent === undefined || !change.types.isOrderable(parent))
    throw badRequest(`expected the parent of '${input.path}' to have orderable children, but its type does not`);
  change.require(parent, 'jcr:addChildNodes');
  change.requireOpenFor(parent, node);
  const order = input.before == null ? change.lastKey(parent, false) : keyBefore(change, parent, node, input.before);
  return { nodeId: change.put({ ...node, order }).id };
});

function keyBefore(change: Change, parent: ContentNode, node: ContentNode, before: string): string | null {
  const parentPath = change.pathOf(parent);
  const sibling = change.at(`${parentPath === '/' ? '' : parentPath}/${before}`, 'Sibling');
  if (sibling.parent !== parent.id)
    throw badRequest(`expected 'before' to name a sibling of '${change.pathOf(node)}', but found '${before}'`);
  if (sibling.id === node.id) return node.order;
  const walk = { from: sibling.order, descending: true, limit: 3 } as const;
  const ahead = change.draft.find(nodes, 'order', [parent.id], walk);
  const previous = ahead.find(({ id }) => id !== sibling.id && id !== node.id);
  return keyBetween(previous?.order ?? null, sibling.order);
}
