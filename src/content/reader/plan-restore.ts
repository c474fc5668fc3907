import { ServiceError } from '../../shared/errors.js';
import { type ReaderQuery, snapshotState } from '../../store/index.js';
import { frozenNodeId, frozenNodes, versions } from '../collection/version.js';
import { nodes } from '../collections.js';
import { type Problem, problemOf } from '../rule/large-work.js';
import { contentMounts } from '../rule/mounts.js';
import type { RestoreQuestion } from '../rule/planned-restore.js';
import { RESTORED_MAX } from '../rule/restore.js';
import { planRestore as planned, type RestorePlan } from '../rule/restore-plan.js';
import { Tree } from '../rule/tree.js';
import { typesOf } from '../rule/types.js';

/** A restore's plan, and the revision that it is of. */
export type RestoreComparison =
  | { readonly problem: Problem }
  | { readonly problem: null; readonly revision: number; readonly plan: RestorePlan };

const NO_PLAN: RestorePlan = { write: [], adopt: [], remove: [] };

/** Compares a tree of any size with a version. */
export const planRestore: ReaderQuery<RestoreQuestion, RestoreComparison> = {
  run(context, { partition, nodeId, versionId, now }) {
    const state = snapshotState(context, partition, now);
    const node = state.get(nodes, nodeId);
    const version = state.get(versions, versionId);
    const { revision } = context;
    // Not durable yet, or gone: the decision sees it as it is.
    if (node === undefined || version === undefined) return { problem: null, revision, plan: NO_PLAN };
    try {
      const scene = { state, tree: new Tree(state, contentMounts), types: typesOf(state) };
      const plan = planned(scene, node, version);
      // More than a decision takes is refused by how many they are.
      const wanted = plan.write.length <= RESTORED_MAX ? plan.write : [];
      const bodies = wanted.flatMap(({ history, entry }) => state.get(frozenNodes, frozenNodeId(history, entry)) ?? []);
      return { problem: null, revision, plan: { ...plan, bodies } };
    } catch (thrown) {
      if (!(thrown instanceof ServiceError)) throw thrown;
      return { problem: problemOf(thrown) };
    }
  },
};
