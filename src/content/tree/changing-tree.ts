import type { Draft, State } from '../../store/index.js';
import type { PathSegment } from '../value/path.js';
import { type ContentNode, nodes } from './node.js';
import { type Mount, type Reading, Tree } from './tree.js';

/**
 * The tree as a change has it so far. What lies above a node, and where a path leads, is looked up once for as long as nodes are only added;
 * whatever else is written to the draft makes it forget.
 */
export class ChangingTree extends Tree {
  readonly #draft: Draft;
  /** Of the draft, when what is kept here was true. */
  #writes = 0;
  /** From the root to the node of the identifier. */
  readonly #chains = new Map<string, readonly ContentNode[]>();
  /** By the identifier; of the root: empty. */
  readonly #paths = new Map<string, string>();
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
    if (found === undefined || !this.#isStored(found.id)) return found;
    this.#places.set(path, found);
    if (chain !== undefined) this.#chains.set(found.id, chain);
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
    if (chain !== undefined && this.#isStored(id)) this.#chains.set(id, chain);
    return chain;
  }

  #pathTo(id: string): string | undefined {
    const node = this.get(id);
    const path = node && this.pathOf(node);
    const prefix = path === '/' ? '' : path;
    if (prefix !== undefined && this.#isStored(id)) this.#paths.set(id, prefix);
    return prefix;
  }

  /** What mounts show follows other documents than nodes. */
  #isStored(id: string): boolean {
    return this.#draft.get(nodes, id) !== undefined;
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
