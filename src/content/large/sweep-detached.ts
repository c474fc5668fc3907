import {
  type JobAttempt,
  type NewJob,
  put,
  remove,
  type State,
  steppedOperation,
  takeOutcome,
  type Write,
} from '../../store/index.js';
import { type SweepInput, sweeping, sweepJob } from '../tree/detached.js';
import { type DetachedTree, detachedTrees } from '../tree/detached-tree.js';
import { HookList } from '../tree/hook-list.js';
import { leavesOf } from '../tree/leaves.js';
import { type ContentNode, nodes } from '../tree/node.js';

/** What goes with a node that is swept: few writes, and jobs for the rest. The node is not in the tree any more. */
export const onSwept = new HookList<
  (
    state: State,
    node: ContentNode,
    tree: DetachedTree,
  ) => { readonly write?: readonly Write[]; readonly jobs?: readonly NewJob[] }
>('onSwept');

/**
 * The outcome of a job that sweeps: removes a hundred nodes of a detached tree, leaves first, and goes on by another job. What is in the
 * tree, or being made, is left alone.
 */
export const sweepDetached = steppedOperation('sweepDetached', function* (state, attempt: JobAttempt) {
  const { job, done } = takeOutcome(state, attempt);
  const { rootId } = job.input as SweepInput;
  const tree = state.get(detachedTrees, rootId);
  const root = state.get(nodes, rootId);
  if (tree === undefined || tree.isStaging) return { write: [done], answer: null };
  if (root === undefined || root.parent !== null) return { write: [done, remove(detachedTrees, rootId)], answer: null };
  const { leaves, isWhole, deepest } = yield* leavesOf(state, root);
  const removed: ReturnType<typeof removalOf>[] = [];
  for (const leaf of leaves) {
    removed.push(removalOf(state, leaf, tree));
    yield;
  }
  const write: Write[] = [done, ...removed.flatMap((one) => one.write)];
  const jobs: NewJob[] = removed.flatMap((one) => one.jobs ?? []);
  if (isWhole) return { write: [...write, remove(detachedTrees, rootId)], jobs, answer: null };
  const split = leaves.length > 0 || deepest.id === rootId ? undefined : splitOff(state, deepest, rootId);
  return {
    write: [...write, ...(split?.write ?? [])],
    jobs: [...jobs, ...(split?.jobs ?? []), sweepJob(state, rootId)],
    answer: null,
  };
});

function removalOf(
  state: State,
  node: ContentNode,
  tree: DetachedTree,
): { write: readonly Write[]; jobs?: readonly NewJob[] } {
  const more = onSwept.all.map((hook) => hook(state, node, tree));
  return {
    write: [remove(nodes, node.id), ...more.flatMap(({ write }) => write ?? [])],
    jobs: more.flatMap(({ jobs }) => jobs ?? []),
  };
}

/** Where one decision finds no leaf, a part of the tree becomes a tree of its own. */
function splitOff(state: State, node: ContentNode, rootId: string): { write: Write[]; jobs: NewJob[] } {
  const { write, jobs } = sweeping(state, node.id, rootId);
  return { write: [put(nodes, { ...node, parent: null, order: null, version: state.revision }), ...write], jobs };
}
