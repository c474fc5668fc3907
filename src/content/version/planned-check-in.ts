import { limitExceeded } from '../../shared/errors.js';
import type { Asking } from '../../store/index.js';
import { LargeKind, type Ready } from '../large/large-work.js';
import type { Change } from '../tree/change.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { TreeEntries } from './frozen-entry.js';
import { isRestructured } from './settled.js';
import { type FrozenEntry, type FrozenLayout, freezings, frozenTrees, versionLitter } from './version.js';
import type { Versionable } from './version-history.js';

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

/** Asked where a tree is too large to be frozen in one decision. */
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

/** The tree as frozen, and what differs from it at a revision. */
export interface PlannedTree extends Ready {
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

/** From so many changes on that came after the plan it is planned again; fewer are taken up by the decision. */
export const RECENT_MAX = 200;
/** How many changes a plan may leave to the decision; more are staged. */
export const PLANNED_MAX = 150;

export const freezing = new LargeKind<FreezeQuestion, PlannedTree>('freezeTree', ({ nodeId }) => nodeId);

/**
 * A large tree, as planned and staged outside of the decision, with what was written since. @throws UNAVAILABLE it is changed faster than it
 * can be frozen (safe to repeat); LIMIT_EXCEEDED
 */
export function plannedTree(change: Change, root: Versionable): TreeToFreeze | Asking {
  const { draft, caller, now } = change;
  const facts = { partition: draft.partition, nodeId: root.id, userId: caller.userId, now };
  return freezing.decide(change, {
    about: root.id,
    path: () => change.pathOf(root),
    question: (last, round) => ({
      ...facts,
      layout: last === undefined ? baseLayout(change, root) : last.layout,
      freezing: last?.freezing ?? null,
      round,
    }),
    take: (plan) => takenUp(change, root, plan),
  });
}

function baseLayout(change: Change, { versioning }: Versionable): FrozenLayout | null {
  const base = change.draft.get(frozenTrees, versioning.baseVersion);
  return base === undefined ? null : { writers: base.writers, entries: base.entries };
}

/** Undefined: nodes in it have come or gone since, or too much was written. */
function takenUp(change: Change, root: Versionable, plan: PlannedTree): TreeToFreeze | undefined {
  const recent = change.draft.range(nodes, 'version', [plan.revision + 1], RECENT_MAX);
  const isWhole = change.draft.get(freezings, plan.freezing)?.broken === false;
  if (!isWhole || recent.length === RECENT_MAX) return undefined;
  requireUntouched(change, root);
  change.draft.remove(freezings, plan.freezing);
  // Chunks that were staged may be rewritten here, or were by a later round.
  if (plan.isStaged) change.draft.put(versionLitter, { id: root.id, since: change.now });
  return published(change, root, plan, recent);
}

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
