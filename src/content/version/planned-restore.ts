import type { Asking } from '../../store/index.js';
import { LargeKind, type Ready } from '../large/large-work.js';
import type { Change } from '../tree/change.js';
import { detachedTrees } from '../tree/detached.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { strongTargets } from '../tree/references.js';
import { typesStampOf } from '../tree/stored-types.js';

import { RECENT_MAX, requireUntouched } from './planned-check-in.js';
import type { RestorePlan } from './restore-plan.js';
import { freezings, type Version } from './version.js';
import type { Versionable } from './version-history.js';

/** How many nodes one restore may write, put in their place, or take away with all below them; what has to be made anew does not count. */
export const RESTORED_MAX = 10_000;

/** Asked where a tree is too large to be compared with a version in one decision. */
export interface RestoreQuestion {
  readonly partition: string;
  readonly nodeId: string;
  readonly versionId: string;
  /** ms, domain clock */
  readonly now: number;
  /** How often it was asked before. */
  readonly round: number;
}

/** The question of a restore as the reader is asked it, whatever the round. */
export type RestoreQuery = Omit<RestoreQuestion, 'round'>;

/** A strong reference, from its holder to its target. */
export interface ReferenceInto {
  readonly holder: string;
  readonly target: string;
}

/** Steps of a restore, planned and made ready outside of the decision. */
interface LargeRestore extends RestorePlan {
  /** What the nodes that were made refer to by strong references: ids of nodes that are not restored. */
  readonly targets: readonly string[];
  /** References from outside into what is removed. */
  readonly references: readonly ReferenceInto[];
}

/** A restore's plan as the reader gives it, and the revision that it is of. */
export interface RestoreComparison {
  readonly revision: number;
  /** The registration of types that it is of. */
  readonly stamp: string;
  /** `missing`: nodes that are to be made first, each a `MissingNode` in a line of its own. */
  readonly plan: LargeRestore & { readonly missing: string };
}

/** A restore that is ready, as seen at a revision. */
export interface PlannedRestore extends Ready {
  readonly freezing: string;
  readonly revision: number;
  readonly stamp: string;
  /** What holds the nodes that were made; null: none were. */
  readonly stagingId: string | null;
  readonly plan: LargeRestore;
}

/** A restore that was planned, with what holds the nodes that were made for it. */
export type ReadyRestore = LargeRestore & Pick<PlannedRestore, 'stagingId'>;

type Subject = Pick<RestoreQuestion, 'nodeId' | 'versionId'>;
const subject = ({ nodeId, versionId }: Subject): string => `${nodeId} ${versionId}`;

export const restoring = new LargeKind<RestoreQuestion, PlannedRestore>('planRestore', subject);

/** Whether the restore was found to be too large for one decision. */
export const isRestorePlanned = (change: Change, root: ContentNode, version: Version): boolean =>
  restoring.isAsked(change, subject({ nodeId: root.id, versionId: version.id }));

/**
 * The plan of a restore, made outside of the decision: it holds as long as nothing has happened since to what it is about.
 * @throws UNAVAILABLE that never rests; and what keeps it from being restored
 */
export function plannedRestore(change: Change, root: Versionable, version: Version): ReadyRestore | Asking {
  const question = { partition: change.draft.partition, nodeId: root.id, versionId: version.id, now: change.now };
  return restoring.decide(change, {
    about: subject(question),
    path: () => change.pathOf(root),
    question: (_, round) => ({ ...question, round }),
    take: (planned) => {
      requireUntouched(change, root);
      if (!isAsPlanned(change, root, planned)) return undefined;
      change.draft.remove(freezings, planned.freezing);
      return { ...planned.plan, stagingId: planned.stagingId };
    },
  });
}

function isAsPlanned(change: Change, root: ContentNode, planned: PlannedRestore): boolean {
  const { draft } = change;
  const { freezing, revision, stamp, stagingId, plan } = planned;
  if (draft.get(freezings, freezing)?.broken !== false || typesStampOf(draft) !== stamp) return false;
  if (stagingId !== null && draft.get(detachedTrees, stagingId)?.isStaging !== true) return false;
  const recent = draft.range(nodes, 'version', [revision + 1], RECENT_MAX);
  if (recent.length === RECENT_MAX) return false;
  const taken = [...plan.write.map(({ entry, isTaken }) => (isTaken ? entry.id : '')), ...plan.remove];
  const looked = new Set([root.id, stagingId ?? '', ...taken]);
  const others = recent.filter(({ id }) => id !== root.id);
  return !others.some((node) => isBelow(change, node, looked) || refersBelow(change, node, plan.remove));
}

/** Whether the node is one of these, or lies below one. */
export function isBelow(change: Change, node: ContentNode, above: ReadonlySet<string>): boolean {
  let at: ContentNode | undefined = node;
  while (at !== undefined) {
    if (above.has(at.id)) return true;
    at = change.tree.parentOf(at);
  }
  return false;
}

/** Whether something refers to what is removed that did not when that was planned. */
function refersBelow(change: Change, holder: ContentNode, removed: readonly string[]): boolean {
  const above = new Set(removed);
  return strongTargets(holder).some((id) => {
    const target = change.draft.get(nodes, id);
    return target !== undefined && isBelow(change, target, above);
  });
}
