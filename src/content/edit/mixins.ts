import { badRequest, ServiceError } from '../../shared/errors.js';
import type { Asking } from '../../store/index.js';
import { removeSubtree } from '../large/delete-node.js';
import { complete } from '../tree/add-node.js';
import type { Change, ExpectedVersion } from '../tree/change.js';
import { contentOperation, type NodeAnswer } from '../tree/content-operation.js';
import { HookList } from '../tree/hook-list.js';
import { withMixinType } from '../tree/mixins.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { lockOf, withoutLock } from '../tree/protection.js';
import { referrerOf } from '../tree/references.js';
import { type EffectiveChild, type EffectiveType, lostProperties } from '../type/effective-type.js';
import { qualifiedName } from '../value/names.js';

interface MixinInput extends ExpectedVersion {
  readonly path: string;
  readonly mixinType: string;
}

/** Adds a mixin type with what it creates by itself (JCR 2.0 §10.10.3); nothing happens where the node is of that type already. */
export const addMixin = contentOperation('addMixin', (change, input: MixinInput): NodeAnswer => {
  const node = change.atVersion(input);
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
function mixinNamed(change: Change, text: string): string {
  const name = qualifiedName(text, change.types.namespaces, 'mixin');
  if (change.types.registry.require(name).mixin) return name;
  throw badRequest(`expected a mixin, but '${name}' is a primary node type`, { reason: 'not_mixin' });
}

/** A feature that depends on a node's types, beside its properties and children. `left`: the node's type without those that it loses. */
export interface TypeDependent {
  /** Why the node cannot do with that; undefined: it can. */
  holds(change: Change, node: ContentNode, left: EffectiveType): string | undefined;
  /** The node without what it has by the lost types alone; that goes. */
  without(change: Change, node: ContentNode, left: EffectiveType): ContentNode;
}

export const typeDependents = new HookList<TypeDependent>('typeDependents');

/**
 * Takes a mixin type away, with the properties and named children that it alone allowed; nothing happens where the node does not have it.
 * @throws CONFLICT versions or a lock depend on it, or a reference points at the node; BAD_REQUEST other children depend on it
 */
export const deleteMixin = contentOperation('deleteMixin', (change, input: MixinInput): NodeAnswer | Asking => {
  const node = change.atVersion(input);
  const mixin = mixinNamed(change, input.mixinType);
  const asking = node.mixins.includes(mixin) ? takeMixin(change, node, mixin) : undefined;
  return asking ?? { nodeId: node.id };
});

function takeMixin(change: Change, node: ContentNode, mixin: string): Asking | undefined {
  change.require(node, 'jcr:nodeTypeManagement');
  change.requireChangeable(node);
  const mixins = node.mixins.filter((one) => one !== mixin);
  const left = change.types.of({ type: node.type, mixins });
  const lost = (type: string) => change.types.isA(node, type) && !left.isA(type);
  const [why] = typeDependents.all.flatMap((dependent) => dependent.holds(change, node, left) ?? []);
  if (why !== undefined) throw inUse(change, node, mixin, why);
  if (lockOf(node, change.now) !== undefined && lost('mix:lockable')) throw inUse(change, node, mixin, 'it is locked');
  if (lost('mix:referenceable') && referrerOf(change, node) !== undefined)
    throw inUse(change, node, mixin, 'a reference points at it');
  const asking = removeChildren(change, node, left);
  if (asking !== undefined) return asking;
  const gone = lostProperties(change.types.of(node), left, node.properties);
  change.exempt(node.id, gone);
  const own = Object.entries(node.properties).filter(([name]) => !gone.includes(name));
  const unlocked = lost('mix:lockable') ? withoutLock(node) : node;
  const kept = typeDependents.all.reduce((one, dependent) => dependent.without(change, one, left), unlocked);
  change.put({ ...kept, mixins, properties: Object.fromEntries(own) });
  return undefined;
}

/** The children that the lost types name and the others do not take, each with all below it. */
function removeChildren(change: Change, node: ContentNode, left: EffectiveType): Asking | undefined {
  const isLost = ({ declaredBy }: EffectiveChild) => !left.isA(declaredBy);
  for (const { name } of change.types.of(node).children.filter(isLost)) {
    for (const child of change.draft.find(nodes, 'name', [node.id, name], { limit: CHILDREN_MAX })) {
      if (left.childDefinition(name, change.types.of(child)) !== undefined) continue;
      const asking = removeSubtree(change, child);
      if (asking !== undefined) return asking;
    }
  }
  return undefined;
}

/** Same-name siblings that go with a mixin; where there are more, the rest is in its way. */
const CHILDREN_MAX = 50;

const inUse = (change: Change, node: ContentNode, mixin: string, why: string) =>
  new ServiceError('CONFLICT', `'${mixin}' cannot be taken from '${change.pathOf(node)}': ${why}`, {
    reason: 'mixin_in_use',
    resourceId: node.id,
  });
