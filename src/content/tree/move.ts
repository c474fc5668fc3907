import { badRequest, ServiceError } from '../../shared/errors.js';
import { qualifiedName } from '../value/name.js';
import { requireRoomFor } from './add-node.js';
import type { Change } from './change.js';
import type { ContentNode } from './node.js';

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
