import type { ContentNode } from '../tree/node.js';
import type { Types } from '../tree/types.js';
import { childFreezing, frozenProperties } from '../type/opv.js';
import type { FrozenEntry, FrozenNode } from './version.js';
import { frozenNodeId } from './version.js';

/** What decides what a version keeps of a node. */
export type Frozen = Pick<FrozenEntry, 'type' | 'mixins'> & { readonly name: string };

/** The entry of the node that is checked in. */
export const rootEntry = (node: ContentNode): FrozenEntry => ({
  id: node.id,
  parent: '',
  name: '',
  order: null,
  type: node.type,
  mixins: node.mixins,
  kind: 'node',
  body: node.version,
});

/** The entry of a child of a frozen node; null: the version keeps nothing of it. @throws CONFLICT its on-parent-version is ABORT */
export function childEntry(types: Types, parent: Frozen, child: ContentNode): FrozenEntry | null {
  const freezing = childFreezing(parent.name, types.of(parent), child.name, types.of(child));
  if (freezing === 'none') return null;
  const { id, name, order, type, mixins } = child;
  const entry = { id, parent: child.parent ?? '', name, order, ...(child.sns && { sns: child.sns }), type, mixins };
  if (freezing === 'history' && child.versioning !== undefined) return { ...entry, kind: 'history', body: 0 };
  return { ...entry, kind: freezing === 'initial' ? 'initial' : 'node', body: child.version };
}

/** For whom and when INITIALIZE makes things anew. */
export interface Freezer {
  readonly userId: string;
  /** ms */
  readonly now: number;
}

/** What a version keeps of a node beside its entry. @throws CONFLICT it has a property whose on-parent-version is ABORT */
export function frozenNode(
  types: Types,
  node: ContentNode,
  { history, entry, by }: { readonly history: string; readonly entry: FrozenEntry; readonly by: Freezer },
): FrozenNode {
  const initial = types.autoCreated(node, by).properties;
  const facts = { path: node.name, effective: types.of(node), properties: node.properties, initial };
  const kept = entry.kind === 'initial' ? initial : frozenProperties(facts);
  const { 'jcr:uuid': uuid, ...rest } = kept;
  // A frozen node says whose it is by jcr:frozenUuid. Of a node that is not referenceable it is a property like any other.
  const properties = uuid === undefined || types.isA(node, 'mix:referenceable') ? rest : { ...rest, 'jcr:uuid': uuid };
  return {
    id: frozenNodeId(history, entry),
    history,
    properties,
    ...(node.acl && { acl: node.acl }),
    ...(node.versioning && { baseVersion: node.versioning.baseVersion }),
  };
}
