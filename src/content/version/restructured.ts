import type { Draft } from '../../store/index.js';
import type { NodeChange, Trees } from '../tree/change-event.js';
import type { ContentNode } from '../tree/node.js';
import { freezings } from './version.js';

/**
 * Whether the change takes a node out of the tree below `rootId`, brings one in that was elsewhere, or gives one types that treat its children
 * in another way: what looks at each node by itself would miss what lies below it.
 */
export function isRestructured({ before, after }: NodeChange, trees: Trees, rootId: string): boolean {
  if (before === undefined) return false;
  if (after?.parent === before.parent && !isTreatedAnew(before, after, trees, rootId)) return false;
  return trees.before.isWithin(before, rootId) || (after !== undefined && trees.after.isWithin(after, rootId));
}

/** Whether the change may be one that restructures a tree: what costs less to ask. */
export const mayRestructure = ({ before, after }: NodeChange): boolean =>
  before !== undefined &&
  (after?.parent !== before.parent || before.name !== after.name || !isOfSameTypes(before, after));

const isOfSameTypes = (a: ContentNode, b: ContentNode): boolean =>
  a.type === b.type && a.mixins.join() === b.mixins.join();

function isTreatedAnew(before: ContentNode, after: ContentNode, trees: Trees, rootId: string): boolean {
  const isRetyped = !isOfSameTypes(before, after);
  if (!isRetyped && before.name === after.name) return false;
  if (after.id !== rootId && isFrozenAnew(before, after, trees)) return true;
  return isRetyped && isDefinedAnew(before, after, trees, rootId);
}

/** Whether its parent has another on-parent-version for what it is now. */
function isFrozenAnew(before: ContentNode, after: ContentNode, { after: tree, types }: Trees): boolean {
  const parent = tree.parentOf(after);
  if (parent === undefined) return false;
  const [was, is] = [before, after].map((node) => types.of(parent).childDefinition(node.name, types.of(node)));
  return was?.onParentVersion !== is?.onParentVersion;
}

function isDefinedAnew(before: ContentNode, after: ContentNode, { types }: Trees, rootId: string): boolean {
  const [was, is] = [types.of(before), types.of(after)];
  // A node that has become versionable has a history of its own, and is no more a part of the frozen tree.
  const isDivided = was.isA('mix:versionable') !== is.isA('mix:versionable') && after.id !== rootId;
  return isDivided || JSON.stringify(was.children) !== JSON.stringify(is.children);
}

/** How many trees may be frozen at once that a change is compared with. */
const FREEZINGS_MAX = 50;

/** Tells trees that are being frozen that nodes in them have come or gone: they are planned anew. */
export function breakFreezings(draft: Draft, changes: readonly NodeChange[], trees: Trees): void {
  for (const freezing of draft.range(freezings, 'started', [0], FREEZINGS_MAX)) {
    if (freezing.broken || !changes.some((change) => isRestructured(change, trees, freezing.node))) continue;
    draft.put(freezings, { ...freezing, broken: true });
  }
}
