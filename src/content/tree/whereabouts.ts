import { detachedTrees } from './detached-tree.js';
import { type ContentNode, nodes, ROOT_ID } from './node.js';
import type { Reading } from './tree.js';

/**
 * Where a stored node is: in the tree, `within` the node that it is about or `elsewhere`; out of it, `staged` for the node that it is about or
 * `foreign`, for something else; `lost`: it waits to be swept.
 */
export type Whereabout = 'within' | 'elsewhere' | 'staged' | 'foreign' | 'lost';

/** Tells where nodes are; what is above them is looked at once. */
export class Whereabouts {
  readonly #reading: Pick<Reading, 'get'>;
  readonly #known = new Map<string, Whereabout>();

  /** `stagingId`: holds what is staged for the node. */
  constructor(reading: Pick<Reading, 'get'>, rootId: string, stagingId: string) {
    this.#reading = reading;
    this.#known.set(ROOT_ID, 'elsewhere').set(rootId, 'within').set(stagingId, 'staged');
  }

  of(node: ContentNode): Whereabout {
    const path: string[] = [];
    let at: ContentNode | undefined = node;
    let top = node;
    while (at !== undefined && !this.#known.has(at.id)) {
      path.push(at.id);
      top = at;
      at = at.parent === null ? undefined : this.#reading.get(nodes, at.parent);
    }
    const found = this.#known.get(at?.id ?? '') ?? this.#outOf(top);
    for (const id of path) this.#known.set(id, found);
    return found;
  }

  #outOf(top: ContentNode): Whereabout {
    return this.#reading.get(detachedTrees, top.id)?.isStaging === true ? 'foreign' : 'lost';
  }
}
