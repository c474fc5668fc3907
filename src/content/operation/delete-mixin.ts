import { ServiceError } from '../../shared/errors.js';
import type { ContentNode } from '../model/node.js';
import type { Change } from '../rule/change.js';
import { contentOperation, type NodeAnswer } from '../rule/content-operation.js';
import { lockOf, withoutLock } from '../rule/locking.js';
import { lostProperties } from '../rule/lost-properties.js';
import { referrerOf } from '../rule/references.js';
import { type MixinInput, mixinNamed } from './add-mixin.js';

/**
 * Takes a mixin type away, with what it alone allowed of the repository's own properties; nothing happens where the node does not have it.
 * @throws CONFLICT versions or a lock depend on it, or a reference points at the node; BAD_REQUEST other properties or children depend on it
 */
export const deleteMixin = contentOperation('deleteMixin', (change, input: MixinInput): NodeAnswer => {
  const node = change.at(input.path);
  change.requireVersion(node, input.expectedVersion);
  const mixin = mixinNamed(change, input.mixinType);
  if (node.mixins.includes(mixin)) withoutMixin(change, node, mixin);
  return { nodeId: node.id };
});

function withoutMixin(change: Change, node: ContentNode, mixin: string): void {
  change.require(node, 'jcr:nodeTypeManagement');
  change.requireChangeable(node);
  const mixins = node.mixins.filter((one) => one !== mixin);
  const left = change.types.of({ type: node.type, mixins });
  const lost = (type: string) => change.types.isA(node, type) && !left.isA(type);
  if (node.versioning !== undefined && lost('mix:simpleVersionable'))
    throw inUse(change, node, mixin, 'it has versions');
  if (lockOf(node, change.now) !== undefined && lost('mix:lockable')) throw inUse(change, node, mixin, 'it is locked');
  if (lost('mix:referenceable') && referrerOf(change, node) !== undefined)
    throw inUse(change, node, mixin, 'a reference points at it');
  const gone = lostProperties(change.types.of(node), left, node.properties);
  change.exempt(node.id, gone);
  const own = Object.entries(node.properties).filter(([name]) => !gone.includes(name));
  change.put({ ...(lost('mix:lockable') ? withoutLock(node) : node), mixins, properties: Object.fromEntries(own) });
}

const inUse = (change: Change, node: ContentNode, mixin: string, why: string) =>
  new ServiceError('CONFLICT', `'${mixin}' cannot be taken from '${change.pathOf(node)}': ${why}`, {
    reason: 'mixin_in_use',
    resourceId: node.id,
  });
