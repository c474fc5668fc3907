import { badRequest } from '../../shared/errors.js';
import { complete } from '../tree/add-node.js';
import type { Change, ExpectedVersion } from '../tree/change.js';
import { contentOperation, type NodeAnswer } from '../tree/content-operation.js';
import type { ContentNode } from '../tree/node.js';
import { withMixinType } from '../tree/with-mixin.js';
import { qualifiedName } from '../value/name.js';

export interface MixinInput extends ExpectedVersion {
  readonly path: string;
  readonly mixinType: string;
}

/** Adds a mixin type with what it creates by itself (JCR 2.0 §10.10.3); nothing happens where the node is of that type already. */
export const addMixin = contentOperation('addMixin', (change, input: MixinInput): NodeAnswer => {
  const node = change.at(input.path);
  change.requireVersion(node, input.expectedVersion);
  const mixin = mixinNamed(change, input.mixinType);
  if (!change.types.isA(node, mixin)) withMixin(change, node, mixin);
  return { nodeId: node.id };
});

/** @throws FORBIDDEN; CONFLICT (locked, checked in, or the types do not fit together) */
export function withMixin(change: Change, node: ContentNode, mixin: string): ContentNode {
  change.require(node, 'jcr:nodeTypeManagement');
  change.requireChangeable(node);
  return complete(change, change.put(withMixinType(change, node, mixin)));
}

/** The name as it is stored. @throws BAD_REQUEST there is no such type, or it is no mixin */
export function mixinNamed(change: Change, text: string): string {
  const name = qualifiedName(text, change.types.namespaces, 'mixin');
  if (change.types.registry.require(name).mixin) return name;
  throw badRequest(`expected a mixin, but '${name}' is a primary node type`, { reason: 'not_mixin' });
}
