import { type Draft, type NewJob, put, type State, type Write } from '../../store/index.js';
import type { Change } from './change.js';
import { type DetachedTree, detachedTrees } from './detached-tree.js';
import { type ContentNode, nodes, ROOT_ID } from './node.js';
import type { Tree } from './tree.js';

/** The kind of job that removes what was taken out of the tree. Its input: the id of the topmost node. */
export const SWEEP_JOB = 'sweepDetached';

/** What a job of the kind {@link SWEEP_JOB} is given. */
export interface SweepInput {
  readonly rootId: string;
}

/** Takes the node with all below it out of the tree by one write; a job sweeps it behind the commit. */
export function detachTree(change: Change, node: ContentNode): void {
  change.detach(node);
  sweepLater(change, node.id);
}

/** What is not in the tree any more, or never was, is swept behind the commit. */
export function sweepLater(change: Change, rootId: string, kept: HistoriesKept = {}): void {
  change.draft.put(detachedTrees, { id: rootId, isStaging: false, since: change.now, ...kept });
  change.jobs.push(sweepJob(change.draft, rootId));
}

/** What becomes of the histories of swept nodes; they go where it is not said that they stay. */
type HistoriesKept = Pick<DetachedTree, 'keepsHistories'>;

const historiesKept = (tree: DetachedTree | undefined): HistoriesKept =>
  tree?.keepsHistories === true ? { keepsHistories: true } : {};

/** As {@link sweepLater}, for a decision that is no {@link Change}. `from`: the tree that it was a part of. Default: itself. */
export function sweeping(state: State, rootId: string, from = rootId): { write: Write[]; jobs: NewJob[] } {
  const kept = historiesKept(state.get(detachedTrees, from));
  const tree: DetachedTree = { id: rootId, isStaging: false, since: state.now, ...kept };
  return { write: [put(detachedTrees, tree)], jobs: [sweepJob(state, rootId)] };
}

/** The job that sweeps a detached tree, one commit after the other. */
export function sweepJob(state: Pick<State, 'ids' | 'now'>, rootId: string): NewJob {
  const input: SweepInput = { rootId };
  const exclusive = `sweep:${rootId}`;
  return { id: state.ids.next(), type: SWEEP_JOB, dueAt: state.now, immediate: true, exclusive, input };
}

/**
 * Whether the node's strong references count: it is in the tree, or in one that is being made. Nodes that wait to be swept refer to nothing
 * any more.
 */
export function isHolding(draft: Draft, tree: Tree, node: ContentNode): boolean {
  let top: ContentNode = node;
  while (top.parent !== null) {
    const above = tree.get(top.parent);
    if (above === undefined) return false;
    top = above;
  }
  return top.id === ROOT_ID || draft.get(detachedTrees, top.id)?.isStaging === true;
}

/** Nodes that were stored as such: what is mounted is no part of a subtree. */
export const isStored = (change: Change, { id }: ContentNode): boolean => change.draft.get(nodes, id) !== undefined;
