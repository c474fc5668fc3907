import type { State } from '../../store/index.js';
import { nodes } from '../collections.js';
import type { ContentNode } from '../model/node.js';

/** Nodes that a decision removes at once, and documents that it reads to find them. */
const LEAVES_MAX = 300;
const READS_MAX = 700;
/** Children of one node that are read together. */
const CHILDREN_MAX = 200;

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

/** The first nodes of a tree from its leaves up, as many as one decision may remove. */
export function leavesOf(state: Pick<State, 'find'>, root: ContentNode): Leaves {
  let reads = 0;
  const leaves: ContentNode[] = [];
  let deepest = root;
  let depth = 0;
  const open = (node: ContentNode): Frame => {
    const limit = Math.max(1, Math.min(CHILDREN_MAX, READS_MAX - reads));
    const children = state.find(nodes, 'name', [node.id], { limit });
    reads += children.length;
    return { node, children, isCut: children.length === limit, next: 0 };
  };
  const stack = [open(root)];
  while (leaves.length < LEAVES_MAX) {
    const frame = stack.at(-1);
    if (frame === undefined) return { leaves, isWhole: true, deepest };
    const child = frame.children[frame.next++];
    if (child !== undefined) {
      if (reads >= READS_MAX) break;
      stack.push(open(child));
      if (stack.length > depth) {
        depth = stack.length;
        deepest = child;
      }
    } else if (frame.isCut) break;
    else {
      leaves.push(frame.node);
      stack.pop();
    }
  }
  return { leaves, isWhole: false, deepest };
}
