import { busyTree } from '../large/large-work.js';
import type { Change } from '../tree/change.js';
import { isHolding, sweepLater } from '../tree/detached.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { refuseReferenced, strongTargets } from '../tree/references.js';
import { isBelow, type ReadyRestore } from './planned-restore.js';

/**
 * Puts what was made out of the tree in its place, and takes what goes out of the tree; both by one write each, whatever lies below.
 * @throws CONFLICT something that stays refers to what goes
 */
export function finishPlanned(change: Change, plan: ReadyRestore, left: readonly ContentNode[]): void {
  for (const { id, ...place } of plan.attach) attach(change, id, place);
  requireUnreferenced(change, plan);
  if (left.length === 0 && plan.stagingId === null) return;
  const holderId = plan.stagingId ?? newHolder(change);
  for (const node of left) takeOut(change, node, holderId);
  // With it goes what was made and is not needed any more.
  sweepLater(change, holderId, { keepsHistories: true });
}

function attach(change: Change, id: string, place: Pick<ContentNode, 'parent' | 'name' | 'order' | 'sns'>): void {
  const made = change.draft.get(nodes, id);
  if (made === undefined) throw busyTree(id);
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
