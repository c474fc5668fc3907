import type { ContentNode } from './node.js';
import type { Types } from './types.js';

/** What the repository itself says of a node's lock and versions: it goes neither into copies nor into archives. */
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
  if (!node.mixins.some(isVersions)) return node.mixins;
  const mixins = node.mixins.filter((mixin) => !isVersions(mixin));
  const isLost = types.isA(node, 'mix:referenceable') && !types.isA({ type: node.type, mixins }, 'mix:referenceable');
  return isLost ? [...mixins, 'mix:referenceable'] : mixins;
}
