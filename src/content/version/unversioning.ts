import type { TypeDependent } from '../edit/mixins.js';
import type { Change } from '../tree/change.js';
import { type ContentNode, nodes } from '../tree/node.js';
import type { EffectiveType } from '../type/effective-type.js';
import { versionHistories, versionLitter, versions } from './version.js';
import { historyOf } from './version-history.js';
import { historyNodeId } from './version-mount.js';

/** A node that was never checked in has a history without versions, which goes with its versionable type; another one keeps the type. */
export const unversioning: TypeDependent = {
  holds(change, node, left) {
    const history = isUnversioned(change, node, left) ? historyOf(change.draft, node.id) : undefined;
    if (history === undefined) return undefined;
    const [made] = change.draft.find(versions, 'number', [node.id], { from: 1, limit: 1 });
    if (made !== undefined) return 'it has versions';
    const shown = [historyNodeId(node.id), history.rootVersion];
    const isReferred = shown.some((id) => change.draft.findMulti(nodes, 'strong', id, 1).length > 0);
    return isReferred ? 'a node refers to its history' : undefined;
  },

  without(change, node, left) {
    if (!isUnversioned(change, node, left)) return node;
    endHistory(change, node);
    const { versioning: _, ...unversioned } = node;
    return unversioned;
  },
};

const isUnversioned = (change: Change, node: ContentNode, left: EffectiveType): boolean =>
  change.types.isA(node, 'mix:simpleVersionable') && !left.isA('mix:simpleVersionable');

/** Removes the history of a node that has no version and is not to have any. */
function endHistory(change: Change, { id }: ContentNode): void {
  const history = historyOf(change.draft, id);
  if (history === undefined) return;
  change.draft.remove(versions, history.rootVersion);
  change.draft.remove(versionHistories, id);
  if (history.count > 1) change.draft.put(versionLitter, { id, since: change.now });
}
