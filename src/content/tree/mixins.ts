import type { Property } from '../value/property.js';
import type { Change } from './change.js';
import type { ContentNode } from './node.js';
import type { Types } from './types.js';

/**
 * The node with the mixin. What the mixin protects is the repository's own from now on: a property of that name that somebody has set before goes,
 * for nobody could remove it later, and a `jcr:uuid` must be no text of anybody's.
 */
export function withMixinType(change: Change, node: ContentNode, mixin: string): ContentNode {
  const mixins = [...node.mixins, mixin];
  const before = change.types.of(node);
  const after = change.types.of({ type: node.type, mixins });
  const isGained = (name: string): boolean =>
    after
      .governing(name, node.properties[name])
      .some((definition) => definition.protected && !before.isA(definition.declaredBy));
  const gained = Object.keys(node.properties).filter(isGained);
  change.exempt(node.id, gained);
  const kept = Object.entries(node.properties).filter(([name]) => !gained.includes(name));
  return { ...node, mixins, properties: Object.fromEntries<Property>(kept) };
}

/** Properties by which the repository itself tells of a node's lock and versions: they go neither into copies nor into archives. */
export const LOCK_AND_VERSION_PROPERTIES = [
  'jcr:lockOwner',
  'jcr:lockIsDeep',
  'jcr:isCheckedOut',
  'jcr:versionHistory',
  'jcr:baseVersion',
  'jcr:predecessors',
  'jcr:mergeFailed',
  'jcr:activity',
  'jcr:configuration',
] as const;

/** The mixins of a node that begins without versions: what could be referred to still can. */
export function withoutVersions(types: Types, node: Pick<ContentNode, 'type' | 'mixins'>): readonly string[] {
  const isVersions = (mixin: string) => types.registry.isA(mixin, 'mix:simpleVersionable');
  const mixins = node.mixins.filter((mixin) => !isVersions(mixin));
  const isLost = types.isA(node, 'mix:referenceable') && !types.isA({ type: node.type, mixins }, 'mix:referenceable');
  return isLost ? [...mixins, 'mix:referenceable'] : mixins;
}
