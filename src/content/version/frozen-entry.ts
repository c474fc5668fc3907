import { type ContentNode, nodes } from '../tree/node.js';
import type { Tree } from '../tree/tree.js';
import type { Types } from '../tree/types.js';
import { childFreezing, frozenProperties } from '../type/opv.js';
import { type FrozenEntry, type FrozenNode, frozenNodeId } from './version.js';

/** Name and types of a node, which decide what a version keeps of it. */
type Frozen = Pick<FrozenEntry, 'type' | 'mixins'> & { readonly name: string };

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
interface Freezer {
  readonly userId: string;
  /** ms */
  readonly now: number;
}

/** The document that a version keeps of a node beside its entry. @throws CONFLICT it has a property whose on-parent-version is ABORT */
export function frozenNode(
  types: Types,
  node: ContentNode,
  { history, entry, by }: { readonly history: string; readonly entry: FrozenEntry; readonly by: Freezer },
): FrozenNode {
  const initial = types.autoCreated(node, by).properties;
  const facts = { path: node.name, effective: types.of(node), properties: node.properties, initial };
  const kept = entry.kind === 'initial' ? initial : frozenProperties(facts);
  const { 'jcr:uuid': _, ...rest } = kept;
  // A frozen node says whose it is by jcr:frozenUuid. Of a node that is not referenceable it is a property like any other.
  const properties = types.isA(node, 'mix:referenceable') ? rest : kept;
  return {
    id: frozenNodeId(history, entry),
    history,
    properties,
    ...(node.acl && { acl: node.acl }),
    ...(node.versioning && { baseVersion: node.versioning.baseVersion }),
  };
}

/** The tree that entries are made of, as it is now. */
interface EntryScene {
  readonly tree: Tree;
  readonly types: Types;
  /** The node that is frozen. */
  readonly root: ContentNode;
}

/** Makes entries of nodes anywhere in a tree; what is above them is looked at once. */
export class TreeEntries {
  readonly #scene: EntryScene;
  /** Null: a version keeps nothing of it, or it is not in the tree. */
  readonly #known = new Map<string, FrozenEntry | null>();

  constructor(scene: EntryScene) {
    this.#scene = scene;
    this.#known.set(scene.root.id, rootEntry(scene.root));
  }

  /** The node's entry; null: it has none. @throws CONFLICT (ABORT) */
  of(node: ContentNode): FrozenEntry | null {
    const { tree, types } = this.#scene;
    const path: ContentNode[] = [];
    let at: ContentNode | undefined = node;
    while (at !== undefined && !this.#known.has(at.id)) {
      path.push(at);
      at = at.parent === null ? undefined : tree.reading.get(nodes, at.parent);
    }
    let entry: FrozenEntry | null = at === undefined ? null : (this.#known.get(at.id) ?? null);
    for (const below of path.reverse()) {
      entry = entry?.kind === 'node' ? childEntry(types, entry, below) : null;
      this.#known.set(below.id, entry);
    }
    return entry;
  }

  /** The entries of these nodes, as far as they have any, and the nodes by their ids. @throws CONFLICT (ABORT) */
  ofAll(some: Iterable<ContentNode>): { put: FrozenEntry[]; nodes: Map<string, ContentNode> } {
    const put: FrozenEntry[] = [];
    const found = new Map<string, ContentNode>();
    for (const node of some) {
      const entry = found.has(node.id) ? null : this.of(node);
      if (entry === null) continue;
      found.set(node.id, node);
      put.push(entry);
    }
    return { put, nodes: found };
  }
}
