import type { Draft, State } from '../../store/index.js';
import { formatSegment, type PathSegment } from '../value/path.js';
import { HookList } from './hook-list.js';
import { type ContentNode, nodes, ROOT_ID } from './node.js';

/** The state, as far as a tree is read from it. */
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
  /** When what the node shows was so, ms: of one that tells of former times. Undefined: it is so now. */
  since?(reading: Reading, id: string): number | undefined;
  /** Which of its siblings of the same name the node is, from 1; undefined: it is none of the mount's. Not given: names do not repeat. */
  index?(reading: Reading, node: ContentNode): number | undefined;
}

/** All that is shown in the tree but kept elsewhere. */
export const mounts = new HookList<Mount>('mounts');

/** Finds nodes by path, and their paths. Knows nothing of rights: see `Access`. */
export class Tree {
  readonly reading: Reading;
  readonly mounts: readonly Mount[];
  /** The nodes above the children of a node, by that one; null: it is not in the tree. */
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

  /** Whether the node is kept as one; what is not is shown by a mount, or is not there. */
  protected isStored(id: string): boolean {
    return this.reading.get(nodes, id) !== undefined;
  }

  child(parent: ContentNode, name: string, index = 1): ContentNode | undefined {
    const [first] = this.reading.find(nodes, 'name', [parent.id, name], { limit: 1 });
    if (first !== undefined) return index === 1 ? first : this.reading.nth(nodes, 'name', [parent.id, name], index - 1);
    const isStored = this.isStored(parent.id);
    for (const mount of this.mounts) {
      const mayShow = mount.rootId === parent.id || !isStored;
      if (!mayShow || (index > 1 && mount.index === undefined)) continue;
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

/**
 * The tree as a change has it so far. What lies above a node, and where a path leads, is looked up once for as long as nodes are only added;
 * whatever else is written to the draft makes it forget.
 */
export class ChangingTree extends Tree {
  readonly #draft: Draft;
  /** Of the draft, when what is kept here was true. */
  #writes = 0;
  /** From the root to the node of the identifier. */
  readonly #chains = new Map<string, readonly ContentNode[] | undefined>();
  /** By the identifier; of the root: empty. */
  readonly #paths = new Map<string, string | undefined>();
  /** By the path, as a caller has written it. */
  readonly #places = new Map<string, ContentNode>();
  /** All children of nodes that were added: the first of each name. */
  readonly #childrenOfAdded = new Map<string, Map<string, ContentNode>>();
  /** Nodes that were the first of their name when they were added. */
  readonly #firsts = new Set<string>();

  constructor(draft: Draft, mounts: readonly Mount[]) {
    super(draft, mounts);
    this.#draft = draft;
  }

  /** Puts a node into the draft that has not been anywhere before. `isFirst`: nothing else in its parent has its name. */
  add(node: ContentNode, isFirst: boolean): void {
    this.#refresh();
    this.#draft.add(nodes, node);
    this.#writes = this.#draft.writesTo(nodes);
    if (isFirst) this.#firsts.add(node.id);
    this.#childrenOfAdded.set(node.id, new Map());
    const siblings = this.#childrenOfAdded.get(node.parent ?? '');
    if (siblings !== undefined && !siblings.has(node.name)) siblings.set(node.name, node);
  }

  /** The node to which `steps` leads; `path`: what they were read from. */
  at(path: string, steps: () => readonly PathSegment[]): ContentNode | undefined {
    this.#refresh();
    const known = this.#places.get(path);
    if (known !== undefined) return known;
    const chain = this.along(steps());
    const found = chain?.at(-1);
    if (found === undefined || !this.isStored(found.id)) return found;
    this.#places.set(path, found);
    this.#chains.set(found.id, chain);
    return found;
  }

  override child(parent: ContentNode, name: string, index = 1): ContentNode | undefined {
    this.#refresh();
    const among = index === 1 ? this.#childrenOfAdded.get(parent.id) : undefined;
    return among === undefined ? super.child(parent, name, index) : among.get(name);
  }

  override chainOf(node: ContentNode): readonly ContentNode[] | undefined {
    if (node.parent === null) return super.chainOf(node);
    this.#refresh();
    const above = this.#chains.get(node.parent) ?? this.#chainTo(node.parent);
    return above && [...above, node];
  }

  override pathOf(node: ContentNode): string | undefined {
    if (node.parent === null) return super.pathOf(node);
    this.#refresh();
    const above = this.#paths.get(node.parent) ?? this.#pathTo(node.parent);
    return above === undefined ? undefined : `${above}/${this.segmentOf(node)}`;
  }

  override segmentOf(node: ContentNode): string {
    this.#refresh();
    return this.#firsts.has(node.id) ? node.name : super.segmentOf(node);
  }

  #chainTo(id: string): readonly ContentNode[] | undefined {
    const node = this.get(id);
    const chain = node && this.chainOf(node);
    if (this.isStored(id)) this.#chains.set(id, chain);
    return chain;
  }

  #pathTo(id: string): string | undefined {
    const node = this.get(id);
    const path = node && this.pathOf(node);
    const prefix = path === '/' ? '' : path;
    if (this.isStored(id)) this.#paths.set(id, prefix);
    return prefix;
  }

  #refresh(): void {
    const writes = this.#draft.writesTo(nodes);
    if (writes === this.#writes) return;
    this.#writes = writes;
    for (const kept of [this.#chains, this.#paths, this.#places, this.#childrenOfAdded, this.#firsts]) kept.clear();
  }
}

/** The state that the draft is upon, of which the draft knows what it writes to. */
export const readingBefore = (state: State, draft: Draft): Reading => ({
  get: (collection, id) => draft.before(collection, id),
  find: (...asked) => state.find(...asked),
  findMulti: (...asked) => state.findMulti(...asked),
  count: (...asked) => draft.countBefore(...asked),
  nth: (...asked) => state.nth(...asked),
});
