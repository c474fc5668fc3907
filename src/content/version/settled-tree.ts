import type { Change } from '../tree/change.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { RECENT_MAX, type TreeToFreeze } from './planned-check-in.js';
import { isRestructured } from './restructured.js';
import { settledSince } from './settled.js';
import { TreeEntries } from './tree-entries.js';
import type { Versionable } from './version-history.js';

/** The tree compared with its base version by what was written since alone; undefined: that is not enough, or too much. */
export function settledTree(change: Change, root: Versionable): TreeToFreeze | undefined {
  const settled = settledSince(change.draft, root);
  if (settled === undefined || restructures(change, root)) return undefined;
  const written = change.draft.range(nodes, 'version', [settled.revision], RECENT_MAX + 1);
  if (written.length > RECENT_MAX) return undefined;
  const entries = new TreeEntries({ tree: change.tree, types: change.types, root });
  return { layout: settled.layout, gone: settled.gone, ...entries.ofAll([root, ...written]) };
}

const restructures = (change: Change, root: ContentNode): boolean =>
  change.changes().some((one) => isRestructured(one, change.trees(), root.id));
