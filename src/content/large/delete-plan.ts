import { limitExceeded, ServiceError } from '../../shared/errors.js';
import type { Asking } from '../../store/index.js';
import type { Change } from '../tree/change.js';
import { detachTree, isHolding } from '../tree/detached.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { referrerOf, refuseReferenced, strongTargets } from '../tree/references.js';
import { subtreeOf } from '../tree/subtree.js';
import { answered, answersOf, asking, busyTree, PLAN_ROUNDS_MAX, type Problem, refusalOf } from './large-work.js';

/** Asked with the kind `planDelete`; answered with a {@link DeletePlan}. */
export interface DeleteQuestion {
  readonly partition: string;
  readonly nodeId: string;
  /** The revision of the plan before, which found nothing: only what was written behind it is looked at. Null: all is. */
  readonly since: number | null;
  /** Whether more of the same commit may go: what refers to the subtree is told, and does not keep it. */
  readonly isPart: boolean;
  /** ms, domain clock */
  readonly now: number;
}

/** What keeps a subtree from being deleted, as it was at a revision. */
export interface DeletePlan {
  readonly revision: number;
  readonly problem: Problem | null;
  /** Identifiers of nodes of the subtree that something outside refers to: at most {@link REFERRED_MAX}. */
  readonly referred: readonly string[];
}

export const PLAN_DELETE = 'planDelete';

export const REFERRED_MAX = 100;

/** How many documents that were written since the plan one decision looks at. */
const WRITTEN_MAX = 200;
/** How many nodes below those. */
const BELOW_MAX = 300;

/** Whether the subtree was found to be too large for one decision. */
export const isPlanned = (change: Change, node: ContentNode): boolean => plansOf(change, node).length > 0;

/**
 * Takes a subtree of any size out of the tree, as planned: what was written since the plan is looked at here.
 * @throws FORBIDDEN, CONFLICT (as the plan says); UNAVAILABLE (it never rests); LIMIT_EXCEEDED (changed by the same transaction)
 */
export function deletePlanned(change: Change, node: ContentNode): Asking | undefined {
  const plans = plansOf(change, node);
  const last = plans.at(-1);
  if (last === undefined) return planned(change, node, null);
  const { revision, problem } = answered<DeletePlan>(last);
  if (problem !== null) throw refusalOf(problem);
  requireUntouched(change, node);
  const written = change.draft.range(nodes, 'version', [revision + 1], WRITTEN_MAX + 1);
  const asked = change.referred.length;
  if (written.length <= WRITTEN_MAX && isStillSound(change, node, { since: revision, written, belowMax: BELOW_MAX })) {
    const ids = plans.flatMap((plan) => answered<DeletePlan>(plan).referred);
    for (const id of new Set(ids)) requireNoHolder(change, node, id);
    detachTree(change, node);
    return undefined;
  }
  change.referred.length = asked;
  if (plans.length >= PLAN_ROUNDS_MAX) throw busyTree(change.pathOf(node));
  return planned(change, node, revision);
}

const plansOf = (change: Change, { id }: ContentNode) =>
  answersOf(change, PLAN_DELETE, (question) => (question as DeleteQuestion).nodeId === id);

function planned(change: Change, { id }: ContentNode, since: number | null): Asking {
  const { isPart, now } = change;
  const question: DeleteQuestion = { partition: change.draft.partition, nodeId: id, since, isPart, now };
  return asking(PLAN_DELETE, question);
}

/** A plan knows nothing of what the same commit does to the node or above it. */
function requireUntouched(change: Change, node: ContentNode): void {
  const chain = change.tree.chainOf(node) ?? [];
  if (!chain.some(({ version }) => version === change.draft.revision)) return;
  throw limitExceeded(
    `expected '${change.pathOf(node)}', which is too large for one decision, to be deleted by itself, but the same transaction has changed it or what is above it`,
    { reason: 'subtree_too_large', resourceId: node.id },
  );
}

/** What was written since a plan that found nothing. */
export interface Written {
  readonly since: number;
  readonly written: readonly ContentNode[];
  /** How many nodes below them are looked at. */
  readonly belowMax: number;
}

/**
 * Whether the plan still holds. False: that takes more than these nodes to say. A node that was written may have been moved, so that all
 * below it came into the subtree, or left it. @throws FORBIDDEN, CONFLICT it does not hold
 */
export function isStillSound(change: Change, root: ContentNode, { since, written, belowMax }: Written): boolean {
  // What is above decides about rights and locks of all that is below.
  const chain = change.tree.chainOf(root);
  if (chain === undefined || chain.some(({ version }) => version > since)) return false;
  let left = belowMax;
  for (const node of written) {
    const looked = left > 0 ? lookedAt(change, root, node, left) : undefined;
    if (looked === undefined) return false;
    left -= looked;
  }
  return true;
}

/** How many nodes were looked at: one that was written, and all below it. Undefined: they are more, or it cannot be said. */
function lookedAt(change: Change, root: ContentNode, node: ContentNode, max: number): number | undefined {
  const isInside = change.tree.isWithin(node, root.id);
  if (!isInside && !isHolding(change.draft, change.tree, node)) return 0;
  const below = isAlone(change, node) ? [node] : subtreeOf(change, node, max);
  if (below === undefined) return undefined;
  for (const one of below) {
    if (!isInside) requireNoReferenceInto(change, one, root);
    else if (!isFree(change, one, root)) return undefined;
  }
  return below.length;
}

/**
 * Whether what is below a node that was written need not be looked at. Of what this very commit does that is known: a new node's children were
 * written too, a tree that was staged was planned as such, and a node that stays where it is keeps what is below.
 */
function isAlone(change: Change, node: ContentNode): boolean {
  if (node.version !== change.draft.revision) return false;
  const before = change.draft.before(nodes, node.id);
  if (before === undefined || before.parent === null) return true;
  return before.parent === node.parent && JSON.stringify(before.acl) === JSON.stringify(node.acl);
}

/** Whether a node of the subtree can go. False: that cannot be said here. @throws FORBIDDEN, CONFLICT it cannot */
function isFree(change: Change, node: ContentNode, root: ContentNode): boolean {
  requireGoing(change, node);
  const holder = referrerOf(change, node, (one) => change.tree.isWithin(one, root.id));
  if (holder !== null && holder !== undefined) refuseReferenced(change, node, holder);
  return holder !== null;
}

/** Of a node of the subtree that something outside referred to when it was planned. @throws CONFLICT, UNAVAILABLE */
function requireNoHolder(change: Change, root: ContentNode, id: string): void {
  const target = change.draft.get(nodes, id);
  if (target === undefined) return;
  const holder = referrerOf(change, target, (one) => change.tree.isWithin(one, root.id));
  if (holder === null) throw busyTree(change.pathOf(root));
  if (holder !== undefined) refuseReferenced(change, target, holder);
}

/** What is asked of each node that is removed. @throws FORBIDDEN, CONFLICT (locked by somebody else) */
export function requireGoing(change: Change, node: ContentNode): void {
  change.require(node, 'jcr:removeNode');
  change.requireUnlocked(node);
}

function requireNoReferenceInto(change: Change, holder: ContentNode, root: ContentNode): void {
  for (const id of strongTargets(holder)) {
    const target = change.tree.get(id);
    if (target !== undefined && change.tree.isWithin(target, root.id)) refuseReferenced(change, target, holder);
  }
}

/** The first refusal that the work comes to, as data; null: none. */
export function firstProblem(work: () => void): ServiceError | null {
  try {
    work();
    return null;
  } catch (thrown) {
    if (thrown instanceof ServiceError) return thrown;
    throw thrown;
  }
}
