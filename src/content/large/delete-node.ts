import { badRequest, limitExceeded } from '../../shared/errors.js';
import type { Asking } from '../../store/index.js';
import type { Change, ExpectedVersion } from '../tree/change.js';
import { contentOperation } from '../tree/content-operation.js';
import { detachTree, isHolding } from '../tree/detached.js';
import { HookList } from '../tree/hook-list.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { isUnreferenced, referrerOf, refuseReferenced, strongTargets } from '../tree/references.js';
import { subtreeOf } from '../tree/subtree.js';
import { busyTree, LargeKind, type Ready } from './large-work.js';

interface DeleteNodeInput extends ExpectedVersion {
  readonly path: string;
}

/** Hooks that take along what goes with the removed nodes of a subtree. */
export const onRemoved = new HookList<(change: Change, removed: readonly ContentNode[]) => void>('onRemoved');

/** How many nodes one decision removes itself: of each it reads children, history and what refers to it. */
export const AT_ONCE_MAX = 150;

/** @throws BAD_REQUEST nobody can delete it: the root, a standard folder, a protected child */
export function requireDeletable(change: Change, node: ContentNode): void {
  parentIn(change, node);
  change.types.requireRemovable(change, node);
}

function parentIn(change: Change, node: ContentNode): ContentNode {
  const parent = change.tree.parentOf(node);
  if (parent === undefined) throw badRequest('the root cannot be deleted');
  return parent;
}

/** False: there is no such node. */
export const deleteNode = contentOperation('deleteNode', (change, input: DeleteNodeInput): boolean | Asking => {
  const node = change.find(input.path);
  if (node === undefined) return false;
  change.requireVersion(node, input.expectedVersion);
  return removeSubtree(change, node) ?? true;
});

/**
 * Removes the node with all that lies below it. A large subtree is planned by the reader: the ask is to be given back, and comes with an
 * answer; it is then out of the tree at once, and swept behind the commit.
 * `atOnceMax`: how many nodes are not large. @throws FORBIDDEN; CONFLICT (locked by somebody else, checked in, or a strong reference from outside points into it)
 */
export function removeSubtree(change: Change, node: ContentNode, atOnceMax = AT_ONCE_MAX): Asking | undefined {
  const parent = parentIn(change, node);
  change.require(parent, 'jcr:removeChildNodes');
  change.require(node, 'jcr:removeNode');
  change.requireOpenFor(parent, node);
  change.requireUnlocked(node);
  change.types.requireRemovable(change, node);
  const removed = deleting.isAsked(change, node.id) ? undefined : subtreeOf(change, node, atOnceMax);
  if (removed === undefined) return deletePlanned(change, node);
  for (const one of removed) requireGoing(change, one);
  if (!isUnreferenced(change, removed)) return deletePlanned(change, node);
  for (const goes of onRemoved.all) goes(change, removed);
  for (const one of removed) change.remove(one);
  return undefined;
}

/** Asked for the delete of a subtree that is too large for one decision. */
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

/** A subtree that nothing kept from being deleted at a revision, but for what is referred to from outside. */
export interface DeletePlan extends Ready {
  readonly revision: number;
  /** Identifiers of nodes of the subtree that something outside refers to: at most {@link REFERRED_MAX}. */
  readonly referred: readonly string[];
}

export const deleting = new LargeKind<DeleteQuestion, DeletePlan>('planDelete', ({ nodeId }) => nodeId);

export const REFERRED_MAX = 100;

/** From so many documents on that were written since the plan, it is planned again. */
const WRITTEN_MAX = 200;
/** How many nodes below those. */
const BELOW_MAX = 300;

/**
 * Takes a subtree of any size out of the tree, as planned: what was written since the plan is looked at here.
 * @throws FORBIDDEN, CONFLICT (as the plan says); UNAVAILABLE (it never rests); LIMIT_EXCEEDED (changed by the same transaction)
 */
function deletePlanned(change: Change, node: ContentNode): Asking | undefined {
  const { isPart, now, draft } = change;
  const facts = { partition: draft.partition, nodeId: node.id, isPart, now };
  const decided = deleting.decide(change, {
    about: node.id,
    path: () => change.pathOf(node),
    question: (last) => ({ ...facts, since: last?.revision ?? null }),
    take: ({ revision }, plans) => {
      requireUntouched(change, node);
      if (!isSoundSince(change, node, revision)) return undefined;
      for (const id of new Set(plans.flatMap(({ referred }) => referred))) requireNoHolder(change, node, id);
      detachTree(change, node);
      return true;
    },
  });
  return decided === true ? undefined : decided;
}

/** False: too much was written since to say; then it is not known either what refers to the subtree. */
function isSoundSince(change: Change, node: ContentNode, since: number): boolean {
  const written = change.draft.range(nodes, 'version', [since + 1], WRITTEN_MAX);
  const asked = change.referred.length;
  const isSound = written.length < WRITTEN_MAX && isStillSound(change, node, { since, written, belowMax: BELOW_MAX });
  if (!isSound) change.referred.length = asked;
  return isSound;
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

/** Nodes written since a plan that found nothing. */
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
    const looked = left < 1 ? undefined : lookedAt(change, root, node, left);
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

/** Requires of a node that it may be removed. @throws FORBIDDEN; CONFLICT it is locked by somebody else */
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
