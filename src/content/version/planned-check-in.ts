import { limitExceeded } from '../../shared/errors.js';
import type { Asking } from '../../store/index.js';
import {
  answered,
  answersOf,
  asking,
  busyTree,
  PLAN_ROUNDS_MAX,
  type Problem,
  refusalOf,
} from '../large/large-work.js';
import type { Change } from '../tree/change.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { isRestructured } from './restructured.js';
import { TreeEntries } from './tree-entries.js';
import { type FrozenEntry, type FrozenLayout, freezings, frozenTrees, versionLitter } from './version.js';
import type { Versionable } from './version-history.js';

export const FREEZE_TREE = 'freezeTree';

/** A tree to be frozen: what it becomes, compared with one that is frozen already. */
export interface TreeToFreeze {
  /** What chunks are shared with; null: nothing. */
  readonly layout: FrozenLayout | null;
  /** Entries to put in; of new trees all. */
  readonly put: readonly FrozenEntry[];
  /** Ids of those that are no more. */
  readonly gone: readonly string[];
  /** What it is made from: nodes by their ids. */
  readonly nodes: ReadonlyMap<string, ContentNode>;
}

/** Asked with the kind `freezeTree` where a tree is too large to be frozen in one decision; answered with a {@link FreezePlan}. */
export interface FreezeQuestion {
  readonly partition: string;
  /** The node that is checked in. */
  readonly nodeId: string;
  /** Who checks it in. */
  readonly userId: string;
  /** ms, domain clock */
  readonly now: number;
  /** What is frozen of it already; null: nothing. */
  readonly layout: FrozenLayout | null;
  /** The freezing that goes on; null: a new one. */
  readonly freezing: string | null;
  /** How often it was asked before. */
  readonly round: number;
}

/** The tree as frozen, and what differs from it at a revision; or what keeps it from being frozen. */
export type FreezePlan = PlannedTree | { readonly problem: Problem };

export interface PlannedTree {
  readonly problem: null;
  readonly freezing: string;
  readonly layout: FrozenLayout | null;
  /** Whether the layout, or a part of it, was written for this plan. */
  readonly isStaged: boolean;
  readonly revision: number;
  /** Ids of nodes whose entries are others, or new. */
  readonly changed: readonly string[];
  /** Ids whose entries are no more. */
  readonly gone: readonly string[];
}

/** How many changes a decision takes up that came after the plan; with more, it is planned again. */
export const RECENT_MAX = 200;
/** How many changes a plan may leave to the decision; more are staged. */
export const PLANNED_MAX = 150;

const plansOf = (change: Change, { id }: ContentNode) =>
  answersOf(change, FREEZE_TREE, (question) => (question as FreezeQuestion).nodeId === id);

/** Whether the tree was found to be too large for one decision. */
export const isPlanned = (change: Change, root: ContentNode): boolean => plansOf(change, root).length > 0;

/**
 * A large tree, as planned and staged outside of the decision, with what was written since. @throws UNAVAILABLE it is changed faster than it
 * can be frozen (safe to repeat); LIMIT_EXCEEDED
 */
export function plannedTree(change: Change, root: Versionable): TreeToFreeze | Asking {
  const plans = plansOf(change, root);
  const last = plans.at(-1);
  if (last === undefined) {
    const base = change.draft.get(frozenTrees, root.versioning.baseVersion);
    const layout = base === undefined ? null : { writers: base.writers, entries: base.entries };
    return ask(change, root, { layout, freezing: null, round: 0 });
  }
  const plan = answered<FreezePlan>(last);
  if (plan.problem !== null) throw refusalOf(plan.problem);
  const recent = change.draft.range(nodes, 'version', [plan.revision + 1], RECENT_MAX + 1);
  const freezing = change.draft.get(freezings, plan.freezing);
  if (freezing === undefined || freezing.broken || recent.length > RECENT_MAX) {
    if (plans.length >= PLAN_ROUNDS_MAX) throw busyTree(change.pathOf(root));
    return ask(change, root, { layout: plan.layout, freezing: plan.freezing, round: plans.length });
  }
  requireUntouched(change, root);
  change.draft.remove(freezings, plan.freezing);
  // Chunks that were staged may be rewritten here, or were by a later round.
  if (plan.isStaged) change.draft.put(versionLitter, { id: root.id, since: change.now });
  return published(change, root, plan, recent);
}

const ask = (
  change: Change,
  { id }: ContentNode,
  rest: Pick<FreezeQuestion, 'layout' | 'freezing' | 'round'>,
): Asking => {
  const question: FreezeQuestion = {
    partition: change.draft.partition,
    nodeId: id,
    userId: change.caller.userId,
    now: change.now,
    ...rest,
  };
  return asking(FREEZE_TREE, question);
};

/** @throws LIMIT_EXCEEDED an earlier step of the same transaction has moved, removed or retyped nodes below */
export function requireUntouched(change: Change, root: ContentNode): void {
  if (!change.changes().some((one) => isRestructured(one, change.trees(), root.id))) return;
  throw limitExceeded(
    `'${change.pathOf(root)}' is too large to be frozen or restored by the transaction that moves, removes or retypes nodes in it`,
  );
}

/** What the plan says, brought up to date with what was written since. */
function published(change: Change, root: ContentNode, plan: PlannedTree, recent: readonly ContentNode[]): TreeToFreeze {
  const changed = plan.changed.flatMap((id) => change.draft.get(nodes, id) ?? []);
  const entries = new TreeEntries({ tree: change.tree, types: change.types, root });
  const found = entries.ofAll([root, ...changed, ...recent]);
  const looked = [...plan.gone, ...plan.changed, ...recent.map(({ id }) => id)];
  return { layout: plan.layout, ...found, gone: looked.filter((id) => !found.nodes.has(id)) };
}
