import {
  type JobAttempt,
  type NewJob,
  operation,
  put,
  remove,
  type State,
  takeOutcome,
  type Write,
} from '../../store/index.js';
import { type DetachedTree, detachedTrees } from '../collection/detached-tree.js';
import { nodes } from '../collections.js';
import type { ContentNode } from '../model/node.js';
import { type SweepInput, sweeping, sweepJob } from '../rule/detached.js';
import { leavesOf } from '../rule/leaves.js';
import { sweepHooks } from '../rule/sweep-hooks.js';

/**
 * The outcome of a job that sweeps: removes a hundred nodes of a detached tree, leaves first, and goes on by another job. What is in the
 * tree, or being made, is left alone.
 */
export const sweepDetached = operation('sweepDetached', (state, attempt: JobAttempt) => {
  const { job, done } = takeOutcome(state, attempt);
  const { rootId } = job.input as SweepInput;
  const tree = state.get(detachedTrees, rootId);
  const root = state.get(nodes, rootId);
  if (tree === undefined || tree.isStaging) return { write: [done], answer: null };
  if (root === undefined || root.parent !== null) return { write: [done, remove(detachedTrees, rootId)], answer: null };
  const { leaves, isWhole, deepest } = leavesOf(state, root);
  const removed = leaves.map((leaf) => removalOf(state, leaf, tree));
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
  const more = sweepHooks.map((hook) => hook(state, node, tree));
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
