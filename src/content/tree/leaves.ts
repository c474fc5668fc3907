import type { State } from '../../store/index.js';
import { type ContentNode, nodes } from './node.js';

/** Nodes that a decision removes at once, and documents that it reads to find them. */
const LEAVES_MAX = 100;
const READS_MAX = 400;
/** Children of one node that are read together. */
const CHILDREN_MAX = 100;

export interface Leaves {
  /** Nodes that can be removed in this order: each has no children but earlier ones. */
  readonly leaves: readonly ContentNode[];
  /** Whether these are all nodes of the tree. */
  readonly isWhole: boolean;
  /** The node furthest down that was come to. */
  readonly deepest: ContentNode;
}

interface Frame {
  readonly node: ContentNode;
  readonly children: readonly ContentNode[];
  /** Whether there may be more children than were read. */
  readonly isCut: boolean;
  next: number;
}

/** The first nodes of a tree from its leaves up, as many as one decision may remove; one after the other. */
export const leavesOf = (state: Pick<State, 'find'>, root: ContentNode): Generator<void, Leaves, void> =>
  new Descent(state, root).steps();

class Descent {
  readonly #state: Pick<State, 'find'>;
  readonly #leaves: ContentNode[] = [];
  readonly #stack: Frame[] = [];
  #deepest: ContentNode;
  #depth = 0;
  #reads = 0;

  constructor(state: Pick<State, 'find'>, root: ContentNode) {
    this.#state = state;
    this.#deepest = root;
    this.#open(root);
  }

  *steps(): Generator<void, Leaves, void> {
    let isGoing = true;
    while (isGoing && this.#leaves.length < LEAVES_MAX && this.#stack.length > 0) {
      isGoing = this.#step();
      yield;
    }
    return { leaves: this.#leaves, isWhole: this.#stack.length === 0, deepest: this.#deepest };
  }

  /** One node down, or one up. False: there is no going on in this decision. */
  #step(): boolean {
    const frame = this.#stack.at(-1);
    const child = frame?.children[frame.next++];
    if (child !== undefined) {
      if (this.#reads < READS_MAX) this.#open(child);
      return this.#reads < READS_MAX;
    }
    if (frame === undefined || frame.isCut) return false;
    this.#leaves.push(frame.node);
    this.#stack.pop();
    return true;
  }

  #open(node: ContentNode): void {
    const limit = Math.max(1, Math.min(CHILDREN_MAX, READS_MAX - this.#reads));
    const children = this.#state.find(nodes, 'name', [node.id], { limit });
    this.#reads += children.length;
    this.#stack.push({ node, children, isCut: children.length === limit, next: 0 });
    if (this.#stack.length <= this.#depth) return;
    this.#depth = this.#stack.length;
    this.#deepest = node;
  }
}
