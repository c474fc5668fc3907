import type { Asking } from '../../store/index.js';
import type { Change } from '../tree/change.js';
import { contentOperation } from '../tree/content-operation.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { subtreeOf } from '../tree/subtree.js';
import { AT_ONCE_MAX, removeSubtree, requireDeletable } from './delete-node.js';
import { orRefused, type Problem, refusalOf } from './large-work.js';

/** Input of `deleteSome`: where a delete that goes step by step has come to. */
export interface DeleteSome {
  readonly path: string;
  /** The node at the path. Null: this is the first step. */
  readonly rootId: string | null;
  /** Where to go on: the root, or a node below it. */
  readonly at: string | null;
  /** What is left goes at once or not at all: nodes of it refer to each other. */
  readonly isWhole: boolean;
}

/** Outcome of one step of a deletion. */
export interface DeletedSome {
  /** Nodes that are gone; those of a file's content are not counted. */
  readonly deleted: number;
  /** The next step. Null: nothing is left that goes by itself. */
  readonly next: DeleteSome | null;
  /** The node at the path, which something refers to that may be deleted too; null: it is gone, or will be. */
  readonly referredId: string | null;
}

/** How many nodes one step removes at most, and how many children of a node and levels of the tree it looks at. */
const REMOVED_MAX = 100;
const CHILDREN_MAX = 50;
const LEVELS_MAX = 4;

/**
 * Deletes some of what lies at a path, depth first, by the rules of `deleteNode`; what is missing is gone already.
 * @throws as deleteNode does, once there is nothing before the blocked node that can be deleted
 */
export const deleteSome = contentOperation('deleteSome', (change, input: DeleteSome): DeletedSome | Asking => {
  const root = input.rootId === null ? change.find(input.path) : inTree(change, input.rootId);
  if (root === undefined) return { deleted: 0, next: null, referredId: null };
  // Before anything below it goes.
  if (input.rootId === null) requireDeletable(change, root);
  if (input.isWhole) return deleteWhole(change, root);
  const at = input.at === null ? undefined : inTree(change, input.at);
  const from = at !== undefined && change.tree.isWithin(at, root.id) ? at : root;
  return new Step(change, input.path, root).run(from);
});

/** What is left of it, which goes at once. */
function deleteWhole(change: Change, root: ContentNode): DeletedSome | Asking {
  const done = orRefused(() => removeSubtree(change, root));
  if (done === undefined) return { deleted: 1, next: null, referredId: null };
  return 'problem' in done ? waiting(root, done.problem) : done;
}

/** What is refused as something refers to it may go with that. @throws what it is refused with for another reason */
function waiting({ id }: ContentNode, problem: Problem): DeletedSome {
  if (!isReferenced(problem)) throw refusalOf(problem);
  return { deleted: 0, next: null, referredId: id };
}

const isReferenced = ({ info }: Problem): boolean => info.reason === 'referenced';

/**
 * Deletes what lies at several paths by one commit, so that nodes that refer to each other can go; what is missing is gone already. Answers how
 * many there were. @throws as deleteNode does
 */
export const deleteTogether = contentOperation(
  'deleteTogether',
  (change, { paths }: { readonly paths: readonly string[] }): number | Asking => {
    change.isPart = true;
    const found = paths.flatMap((path) => change.find(path) ?? []);
    let left = DIRECT_MAX;
    for (const node of found) {
      const small = subtreeOf(change, node, Math.min(left, AT_ONCE_MAX));
      const asking = removeSubtree(change, node, small?.length ?? 0);
      if (asking !== undefined) return asking;
      left -= small?.length ?? 0;
    }
    return found.length;
  },
  { reads: 10_000, writes: 2_000 },
);

/** How many nodes it removes one by one: what comes behind them is taken out of the tree, as what is large. */
const DIRECT_MAX = 300;

/** How many paths one commit takes. */
export const TOGETHER_MAX = 100;

const inTree = (change: Change, id: string): ContentNode | undefined => {
  const node = change.tree.get(id);
  return node !== undefined && change.tree.chainOf(node) !== undefined ? node : undefined;
};

/** Outcome for one node: it is gone, it must be planned first, it is refused, or there is more of it than one step removes. */
type Outcome =
  | { readonly kind: 'gone' }
  | { readonly kind: 'asking'; readonly asking: Asking }
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'large' };

class Step {
  readonly #change: Change;
  readonly #path: string;
  readonly #root: ContentNode;
  #left = REMOVED_MAX;
  #deleted = 0;

  constructor(change: Change, path: string, root: ContentNode) {
    this.#change = change;
    this.#path = path;
    this.#root = root;
  }

  run(from: ContentNode): DeletedSome | Asking {
    let node = from;
    for (let level = 0; level < LEVELS_MAX; level++) {
      const outcome = this.#remove(node);
      if (outcome.kind === 'gone') return this.#goOn(node.id === this.#root.id ? null : node.parent);
      if (outcome.kind === 'asking') return outcome.asking;
      const down = this.#removeChildren(node);
      if (this.#deleted > 0) return this.#goOn(node.id);
      if (down === undefined) return this.#atLast(node, outcome);
      node = down;
    }
    return this.#goOn(node.id);
  }

  /** The first child that stays, so that what is below it goes first. */
  #removeChildren(node: ContentNode): ContentNode | undefined {
    const demanded = new Set(this.#change.types.of(node).mandatoryChildren.map(({ name }) => name));
    const children = this.#change.draft.find(nodes, 'name', [node.id], { limit: CHILDREN_MAX });
    for (const child of children) {
      if (demanded.has(child.name)) continue;
      if (this.#remove(child).kind !== 'gone') return child;
    }
    return undefined;
  }

  #remove(node: ContentNode): Outcome {
    const removed = subtreeOf(this.#change, node, this.#left);
    if (removed === undefined) return { kind: 'large' };
    const done = orRefused(() => removeSubtree(this.#change, node));
    if (done !== undefined)
      return 'problem' in done ? { kind: 'refused', problem: done.problem } : { kind: 'asking', asking: done };
    this.#left -= removed.length;
    this.#deleted += countOf(removed);
    return { kind: 'gone' };
  }

  /** There is nothing below the node that goes before it. */
  #atLast(node: ContentNode, outcome: Outcome): DeletedSome | Asking {
    if (outcome.kind === 'large') {
      const asking = removeSubtree(this.#change, node);
      if (asking !== undefined) return asking;
      this.#deleted++;
      return this.#goOn(node.id === this.#root.id ? null : node.parent);
    }
    if (outcome.kind !== 'refused') return this.#goOn(node.id);
    if (!isReferenced(outcome.problem) || node.id === this.#root.id) return waiting(node, outcome.problem);
    return { deleted: 0, next: { ...this.#next(this.#root.id), isWhole: true }, referredId: null };
  }

  #goOn(at: string | null): DeletedSome {
    return { deleted: this.#deleted, next: at === null ? null : this.#next(at), referredId: null };
  }

  #next(at: string): DeleteSome {
    return { path: this.#path, rootId: this.#root.id, at, isWhole: false };
  }
}

/** How many of the nodes, parents first, are no part of a file's content. */
function countOf(removed: readonly ContentNode[]): number {
  const contents = new Set<string>();
  for (const { id, name, parent } of removed)
    if (name === 'jcr:content' || contents.has(parent ?? '')) contents.add(id);
  return removed.length - contents.size;
}
