import type { NewJob, State, Write } from '../../store/index.js';
import type { DetachedTree } from '../tree/detached-tree.js';
import type { ContentNode } from '../tree/node.js';
import { forgottenHistory } from '../version/version-history.js';

/** What else goes when a node is swept: few writes, and jobs for the rest. The node is not in the tree any more. */
export type SweepHook = (
  state: State,
  node: ContentNode,
  tree: DetachedTree,
) => { readonly write?: readonly Write[]; readonly jobs?: readonly NewJob[] };

/** What is asked for each node that a sweep removes. */
export const sweepHooks: readonly SweepHook[] = [
  (state, node, { keepsHistories }) =>
    keepsHistories === true || node.versioning === undefined ? {} : { write: forgottenHistory(state, node) },
];
