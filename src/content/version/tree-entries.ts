import { type ContentNode, nodes } from '../tree/node.js';
import type { Tree } from '../tree/tree.js';
import type { Types } from '../tree/types.js';
import { childEntry, rootEntry } from './freeze.js';
import type { FrozenEntry } from './version.js';

/** The tree that entries are made of, as it is now. */
export interface EntryScene {
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
