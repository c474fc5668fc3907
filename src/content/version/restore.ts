import { limitExceeded, ServiceError } from '../../shared/errors.js';
import type { Asking, Operation } from '../../store/index.js';
import { stagedNode } from '../large/staging.js';
import { complete } from '../tree/add-node.js';
import type { Change } from '../tree/change.js';
import { isAsking } from '../tree/content-operation.js';
import { isHolding, sweepLater } from '../tree/detached.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { isUnreferenced, refuseReferenced, strongTargets } from '../tree/references.js';
import { subtreeOf } from '../tree/subtree.js';
import { isBelow, isRestorePlanned, plannedRestore, RESTORED_MAX, type ReadyRestore } from './planned-restore.js';
import { planRestore, type RestorePlan } from './restore-plan.js';
import { type RestoredNode, restoredProperties, restoredVersioning } from './restored-node.js';
import { frozenNodeId, frozenNodes, frozenTrees, type Version } from './version.js';
import { beginVersioning, type Versionable } from './version-history.js';

/** The largest frozen tree that one decision compares with the present one itself, and the largest present one. */
const SMALL_MAX = 60;
/** How many nodes a restore that was not planned may remove: each is read several times, for its path before and behind the commit. */
const REMOVED_MAX = 150;

/** Limits of an operation that restores: it reads and writes what a plan leaves to it, each node with its types, its place and what it refers to. */
export const RESTORE_LIMITS: Operation<unknown, unknown>['limits'] = {
  reads: 50 * RESTORED_MAX,
  writes: RESTORED_MAX + 1_000,
};

/**
 * Brings a node back to a version and leaves it checked in (JCR 2.0 §15.7). A node with the identifier of a frozen one that is elsewhere in the
 * workspace is taken from there (removeExisting). @throws CONFLICT, FORBIDDEN, LIMIT_EXCEEDED
 */
export function restore(change: Change, node: Versionable, version: Version): Asking | undefined {
  const plan = restorePlan(change, node, version);
  if (isAsking(plan)) return plan;
  requireAllowed(change, node, plan);
  const left = plan.remove.flatMap((id) => change.draft.get(nodes, id) ?? []);
  const written = plan.write.map((one) => write(change, one));
  for (const { id, isTaken: _, ...place } of plan.adopt) adopt(change, id, place);
  if ('stagingId' in plan) finishPlanned(change, plan, left);
  else removeLeft(change, left);
  for (const one of written) requireTargets(change, one, strongTargets(one));
  if ('stagingId' in plan) requireTargets(change, node, plan.targets);
  return undefined;
}

function restorePlan(change: Change, node: Versionable, version: Version): RestorePlan | ReadyRestore | Asking {
  const isByItself = !isRestorePlanned(change, node, version) && isSmall(change, node, version);
  return isByItself
    ? planRestore({ state: change.draft, types: change.types, isStaged: false }, node, version)
    : plannedRestore(change, node, version);
}

function isSmall(change: Change, node: ContentNode, version: Version): boolean {
  const frozen = change.draft.get(frozenTrees, version.id);
  return (frozen?.entries ?? 0) <= SMALL_MAX && subtreeOf(change, node, SMALL_MAX) !== undefined;
}

/** Asked before anything is written, so that it does not depend on the order. @throws FORBIDDEN, CONFLICT */
function requireAllowed(
  change: Change,
  root: ContentNode,
  { write: written, adopt: adopted, attach }: RestorePlan,
): void {
  for (const { entry, place, isTaken } of written) {
    if (isTaken) requireTakeable(change, root, entry.id);
    requireWritable(change, entry.id, place.parent);
  }
  for (const { id, parent, isTaken } of adopted) {
    if (isTaken) requireTakeable(change, root, id);
    requireWritable(change, id, parent);
  }
  for (const { id, parent } of attach) requireWritable(change, id, parent);
}

/** Of a node that is taken from elsewhere. @throws FORBIDDEN; CONFLICT locked, checked in, or the restored node lies below it */
function requireTakeable(change: Change, root: ContentNode, id: string): void {
  const node = change.draft.get(nodes, id);
  if (node === undefined) return;
  const parent = change.tree.parentOf(node);
  if (parent === undefined) return;
  if (change.tree.isWithin(root, id)) {
    const message = `expected '${change.pathOf(node)}', which the version has below '${change.pathOf(root)}', not to lie above it`;
    throw new ServiceError('CONFLICT', message, { reason: 'restored_node_above', resourceId: id });
  }
  change.require(parent, 'jcr:removeChildNodes');
  change.require(node, 'jcr:removeNode');
  change.requireOpenFor(parent, node);
}

/** Of a node that is restored where it is, or below another parent. @throws CONFLICT one of them is locked */
function requireWritable(change: Change, id: string, parentId: string | null): void {
  const existing = change.draft.get(nodes, id);
  if (existing !== undefined) change.requireUnlocked(existing);
  if (existing?.parent === parentId) return;
  const parent = parentId === null ? undefined : change.draft.get(nodes, parentId);
  if (parent !== undefined) change.requireUnlocked(parent);
}

/** The node as frozen. What a version does not keep of it (rights, lock, properties under IGNORE) stays as it is. */
function write(change: Change, restored: RestoredNode): ContentNode {
  const { entry, history, place } = restored;
  const { id, type, mixins: frozenMixins } = entry;
  const body = change.draft.get(frozenNodes, frozenNodeId(history, entry));
  if (body === undefined) throw new Error(`expected what is frozen of node '${id}' at ${entry.body} to be there`);
  const existing = change.draft.get(nodes, id);
  const needsLockable =
    existing?.lock !== undefined && !change.types.isA({ type, mixins: frozenMixins }, 'mix:lockable');
  const mixins = needsLockable ? [...frozenMixins, 'mix:lockable'] : frozenMixins;
  const properties = restoredProperties(change.types, entry, body, existing);
  const versioning = restoredVersioning({ reading: change.draft, types: change.types }, restored, existing, body);
  if (existing !== undefined) change.left(existing);
  change.exempt(id, [...Object.keys(existing?.properties ?? {}), ...Object.keys(properties)]);
  const node = change.put({
    id,
    ...place,
    type,
    mixins,
    properties,
    ...(existing?.acl && { acl: existing.acl }),
    ...(existing?.lock && { lock: existing.lock }),
    ...(versioning && { versioning }),
    version: 0,
  });
  return entry.kind === 'initial' ? complete(change, node) : beginVersioning(change, node);
}

function adopt(change: Change, id: string, place: Omit<RestorePlan['adopt'][number], 'id' | 'isTaken'>): void {
  const node = change.draft.get(nodes, id);
  if (node === undefined) return;
  const { sns: _, ...rest } = node;
  change.left(node);
  change.put({ ...rest, ...place });
}

/** Removes what the version does not have. Their histories stay, so that they can come back. @throws CONFLICT, LIMIT_EXCEEDED */
function removeLeft(change: Change, left: readonly ContentNode[]): void {
  const removed: ContentNode[] = [];
  for (const node of left) {
    const below = subtreeOf(change, node, REMOVED_MAX - removed.length);
    if (below === undefined)
      throw limitExceeded(`expected at most ${REMOVED_MAX} nodes to be removed by a restore, but there are more`, {
        reason: 'restore_too_large',
      });
    removed.push(...below);
  }
  for (const node of removed) change.requireUnlocked(node);
  if (!isUnreferenced(change, removed))
    throw limitExceeded('expected what a restore removes to have few references, but it has many');
  for (const node of removed) change.remove(node);
}

/** @throws CONFLICT a strong reference that was frozen leads nowhere by now (JCR 2.0 §3.8.3.2) */
function requireTargets(change: Change, node: ContentNode, targets: readonly string[]): void {
  for (const id of targets) {
    const target = change.tree.get(id);
    if (target !== undefined && isHolding(change.draft, change.tree, target)) continue;
    const message = `expected what '${change.pathOf(node)}' refers to to be there, but there is no node '${id}' any more`;
    throw new ServiceError('CONFLICT', message, { reason: 'reference_target_missing', resourceId: id });
  }
}

/**
 * Puts what was made out of the tree in its place, and takes what goes out of the tree; both by one write each, whatever lies below.
 * @throws CONFLICT something that stays refers to what goes
 */
function finishPlanned(change: Change, plan: ReadyRestore, left: readonly ContentNode[]): void {
  for (const { id, ...place } of plan.attach) attach(change, id, place);
  requireUnreferenced(change, plan);
  if (left.length === 0 && plan.stagingId === null) return;
  const holderId = plan.stagingId ?? newHolder(change);
  for (const node of left) takeOut(change, node, holderId);
  // With it goes what was made and is not needed any more.
  sweepLater(change, holderId, { keepsHistories: true });
}

function attach(change: Change, id: string, place: Pick<ContentNode, 'parent' | 'name' | 'order' | 'sns'>): void {
  const made = stagedNode(change, id, 'restore');
  change.exempt(id, Object.keys(made.properties));
  change.put({ ...made, ...place });
}

function requireUnreferenced(change: Change, { references, remove }: ReadyRestore): void {
  const going = new Set(remove);
  for (const one of references) {
    const holder = change.draft.get(nodes, one.holder);
    const target = change.draft.get(nodes, one.target);
    if (holder === undefined || target === undefined || !strongTargets(holder).includes(target.id)) continue;
    const isKept = isHolding(change.draft, change.tree, holder) && !isBelow(change, holder, going);
    if (isKept && isBelow(change, target, going)) refuseReferenced(change, target, holder);
  }
}

function takeOut(change: Change, node: ContentNode, holderId: string): void {
  change.requireUnlocked(node);
  const { lock: _lock, sns: _sns, ...rest } = node;
  const { revision } = change.draft;
  change.draft.put(nodes, { ...rest, parent: holderId, name: node.id, order: null, version: revision });
  change.left(node);
}

function newHolder(change: Change): string {
  const id = change.draft.ids.next();
  change.draft.put(nodes, { ...REMOVED, id, version: change.draft.revision });
  return id;
}

const REMOVED: Omit<ContentNode, 'id' | 'version'> = {
  parent: null,
  name: 'removed',
  order: null,
  type: 'nt:unstructured',
  mixins: [],
  properties: {},
};
