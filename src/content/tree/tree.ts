import type { State } from '../../store/index.js';
import { formatSegment, type PathSegment } from '../value/path.js';
import { HookList } from './hook-list.js';
import { type ContentNode, nodes, ROOT_ID } from './node.js';

/** What a tree is read from. */
export type Reading = Pick<State, 'get' | 'find' | 'findMulti' | 'count' | 'nth'>;

/** Nodes that are shown in the tree but kept elsewhere: version histories, jobs. Nobody writes them as nodes. */
export interface Mount {
  /** The node that they appear below. */
  readonly rootId: string;
  get(reading: Reading, id: string): ContentNode | undefined;
  /** `index`: which of several of the name, from 1; not given: the first. */
  child(reading: Reading, parent: ContentNode, name: string, index?: number): ContentNode | undefined;
  /** The children in their order behind the one with the path segment `after`, at most `limit`. */
  children(reading: Reading, parent: ContentNode, after: string | null, limit: number): ContentNode[];
  /** The identifier of the node that the shown one tells of, whose rights hold for it. Not given: rights are as everywhere. */
  original?(id: string): string | undefined;
  /** Which of its siblings of the same name the node is, from 1; undefined: it is none of the mount's. Not given: names do not repeat. */
  index?(reading: Reading, node: ContentNode): number | undefined;
}

/** All that is shown in the tree but kept elsewhere. */
export const mounts = new HookList<Mount>('mounts');

/** Finds nodes by path, and their paths. Knows nothing of rights: see `Access`. */
export class Tree {
  readonly reading: Reading;
  readonly mounts: readonly Mount[];
  /** What is above the children of a node, by that one; null: nothing that the tree has. */
  readonly #above: Map<string, readonly ContentNode[] | null> | null;

  /** `isSteady`: what it is read from does not change meanwhile. */
  constructor(reading: Reading, mounts: readonly Mount[] = [], isSteady = false) {
    this.reading = reading;
    this.mounts = mounts;
    this.#above = isSteady ? new Map() : null;
  }

  get(id: string): ContentNode | undefined {
    const stored = this.reading.get(nodes, id);
    if (stored !== undefined) return stored;
    for (const mount of this.mounts) {
      const shown = mount.get(this.reading, id);
      if (shown !== undefined) return shown;
    }
    return undefined;
  }

  child(parent: ContentNode, name: string, index = 1): ContentNode | undefined {
    const [first] = this.reading.find(nodes, 'name', [parent.id, name], { limit: 1 });
    if (first !== undefined) return index === 1 ? first : this.reading.nth(nodes, 'name', [parent.id, name], index - 1);
    for (const mount of this.mounts) {
      if (index > 1 && mount.index === undefined) continue;
      const shown = mount.child(this.reading, parent, name, index);
      if (shown !== undefined) return shown;
    }
    return undefined;
  }

  /** The nodes from the root to where the path leads; undefined when one of them is not there. */
  along(steps: readonly PathSegment[]): readonly ContentNode[] | undefined {
    let node = this.get(ROOT_ID);
    const chain: ContentNode[] = [];
    for (const { name, index } of steps) {
      if (node === undefined) return undefined;
      chain.push(node);
      node = this.child(node, name, index);
    }
    return node === undefined ? undefined : [...chain, node];
  }

  parentOf({ parent }: ContentNode): ContentNode | undefined {
    return parent === null ? undefined : this.get(parent);
  }

  /** The nodes from the root to this one; undefined when it is not in the tree. */
  chainOf(node: ContentNode): readonly ContentNode[] | undefined {
    if (node.parent === null) return node.id === ROOT_ID ? [node] : undefined;
    const above = this.#aboveChildren(node.parent);
    return above === null ? undefined : [...above, node];
  }

  #aboveChildren(parentId: string): readonly ContentNode[] | null {
    const known = this.#above?.get(parentId);
    if (known !== undefined) return known;
    const chain: ContentNode[] = [];
    let at: string | null = parentId;
    while (at !== null) {
      const above = this.get(at);
      if (above !== undefined) chain.push(above);
      at = above?.parent ?? null;
    }
    const found = chain.at(-1)?.id === ROOT_ID ? chain.reverse() : null;
    this.#above?.set(parentId, found);
    return found;
  }

  /** The node's path; undefined when it is not in the tree. */
  pathOf(node: ContentNode): string | undefined {
    const chain = this.chainOf(node);
    if (chain === undefined) return undefined;
    if (chain.length === 1) return '/';
    return chain
      .slice(1)
      .map((one) => `/${this.segmentOf(one)}`)
      .join('');
  }

  /** The node's name, with its index where it is not the first of that name. */
  segmentOf(node: ContentNode): string {
    if (node.sns !== true || node.parent === null) return node.name;
    return formatSegment({ name: node.name, index: this.#shownIndex(node) ?? this.#storedIndex(node) });
  }

  #shownIndex(node: ContentNode): number | undefined {
    for (const mount of this.mounts) {
      const index = mount.index?.(this.reading, node);
      if (index !== undefined) return index;
    }
    return undefined;
  }

  #storedIndex({ parent, name, order }: ContentNode): number {
    return 1 + this.reading.count(nodes, 'name', [parent, name], { below: order });
  }

  /** Whether the node is `above`, or lies below it. */
  isWithin(node: ContentNode, above: string): boolean {
    let at: ContentNode | undefined = node;
    while (at !== undefined) {
      if (at.id === above) return true;
      at = this.parentOf(at);
    }
    return false;
  }
}
