import { badRequest, ServiceError } from '../../shared/errors.js';
import { requireRoomFor } from '../tree/add-node.js';
import type { Change, ExpectedVersion } from '../tree/change.js';
import { contentOperation, type NodeAnswer } from '../tree/content-operation.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { keyBetween } from '../tree/order-key.js';
import { qualifiedName } from '../value/names.js';

interface MoveNodeInput extends ExpectedVersion {
  readonly sourcePath: string;
  /** The new parent. */
  readonly destPath: string;
  /** Default: the node's name. */
  readonly name?: string | null;
}

export const moveNode = contentOperation('moveNode', (change, input: MoveNodeInput): NodeAnswer => {
  const node = change.at(input.sourcePath, 'Source node');
  change.requireVersion(node, input.expectedVersion);
  const parent = change.at(input.destPath, 'Destination node');
  return { nodeId: moveTo(change, node, parent, input.name ?? node.name).id };
});

interface RenameNodeInput extends ExpectedVersion {
  readonly path: string;
  readonly name: string;
}

export const renameNode = contentOperation('renameNode', (change, input: RenameNodeInput): NodeAnswer => {
  const node = change.atVersion(input);
  const parent = change.tree.parentOf(node);
  if (parent === undefined) throw badRequest('the root cannot be renamed');
  return { nodeId: moveTo(change, node, parent, input.name).id };
});

/**
 * Gives a node another parent or name (JCR 2.0 §10.6): one write, however much lies below it. Where it shares the name it comes behind the
 * others, whose paths stay.
 * @throws BAD_REQUEST below itself, the types do not allow it; ALREADY_EXISTS; FORBIDDEN; CONFLICT (locked, checked in)
 */
export function moveTo(change: Change, node: ContentNode, parent: ContentNode, text: string): ContentNode {
  const name = qualifiedName(text, change.types.namespaces);
  const from = change.tree.parentOf(node);
  if (from === undefined) throw badRequest('the root cannot be moved');
  if (parent.id === from.id && name === node.name) return node;
  requireMovable(change, node, from, { parent, name });
  const { sns } = change.types.childOf(change, parent, { ...node, name });
  requireRoomFor(change, parent, { name, sns });
  const { sns: _, ...rest } = node;
  change.left(node);
  const isShared = sns && change.tree.child(parent, name) !== undefined;
  const keepsPlace = parent.id === from.id && node.order !== null && !isShared && (sns || node.sns !== true);
  return change.put({
    ...rest,
    ...(sns && { sns }),
    parent: parent.id,
    name,
    order: keepsPlace ? node.order : change.lastKey(parent, sns),
  });
}

function requireMovable(
  change: Change,
  node: ContentNode,
  from: ContentNode,
  { parent, name }: Pick<ContentNode, 'name'> & { readonly parent: ContentNode },
): void {
  change.require(node, 'jcr:removeNode');
  change.require(from, 'jcr:removeChildNodes');
  change.require(parent, 'jcr:addChildNodes');
  change.requireOpenFor(from, node);
  change.requireOpenFor(parent, { ...node, name });
  change.requireUnlocked(node);
  change.types.requireRemovable(change, node);
  if (!change.tree.isWithin(parent, node.id)) return;
  throw new ServiceError('BAD_REQUEST', `'${change.pathOf(node)}' cannot be moved below itself`, {
    reason: 'move_below_itself',
    resourceId: node.id,
  });
}

interface OrderNodeInput extends ExpectedVersion {
  readonly path: string;
  /** The sibling that it is put before, by its name in the path; null: behind all. */
  readonly before?: string | null;
}

/** Puts a node before one of its siblings (JCR 2.0 §23.3): one write. */
export const orderNode = contentOperation('orderNode', (change, input: OrderNodeInput): NodeAnswer => {
  const node = change.atVersion(input);
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
