import type { Asking } from '../../store/index.js';
import { freezings, type Version } from '../collection/version.js';
import { nodes } from '../collections.js';
import type { Change } from './change.js';
import { answered, answersOf, asking, busyTree, PLAN_ROUNDS_MAX, type Problem, refusalOf } from './large-work.js';
import { RECENT_MAX, requireUntouched } from './planned-check-in.js';
import type { RestorePlan } from './restore-plan.js';
import type { Versionable } from './version-history.js';

export const PLAN_RESTORE = 'planRestore';

/** Asked with the kind `planRestore` where a tree is too large to be compared with a version in one decision. */
export interface RestoreQuestion {
  readonly partition: string;
  readonly nodeId: string;
  readonly versionId: string;
  /** ms, domain clock */
  readonly now: number;
  /** How often it was asked before. */
  readonly round: number;
}

/** What a restore does, as seen at a revision; or what keeps it from being done. */
export type PlannedRestore =
  | { readonly problem: Problem }
  | { readonly problem: null; readonly freezing: string; readonly revision: number; readonly plan: RestorePlan };

/** The plan of a restore, made outside of the decision: it holds as long as nothing has happened in the tree since. @throws UNAVAILABLE it never rests */
export function plannedRestore(change: Change, root: Versionable, version: Version): RestorePlan | Asking {
  const isAbout = (question: unknown) => {
    const { nodeId, versionId } = question as RestoreQuestion;
    return nodeId === root.id && versionId === version.id;
  };
  const plans = answersOf(change, PLAN_RESTORE, isAbout);
  const last = plans.at(-1);
  const question = { partition: change.draft.partition, nodeId: root.id, versionId: version.id, now: change.now };
  if (last === undefined) return asking(PLAN_RESTORE, { ...question, round: 0 });
  const planned = answered<PlannedRestore>(last);
  if (planned.problem !== null) throw refusalOf(planned.problem);
  requireUntouched(change, root);
  const recent = change.draft.range(nodes, 'version', [planned.revision + 1], RECENT_MAX + 1);
  const freezing = change.draft.get(freezings, planned.freezing);
  const isAsPlanned =
    freezing?.broken === false &&
    recent.length <= RECENT_MAX &&
    !recent.some((node) => node.id !== root.id && change.tree.isWithin(node, root.id));
  if (isAsPlanned) {
    change.draft.remove(freezings, planned.freezing);
    return planned.plan;
  }
  if (plans.length >= PLAN_ROUNDS_MAX) throw busyTree(change.pathOf(root));
  return asking(PLAN_RESTORE, { ...question, round: plans.length });
}
