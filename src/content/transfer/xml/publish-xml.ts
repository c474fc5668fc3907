import { busyTree } from '../../large/large-work.js';
import { registerNamespaces } from '../../registration/namespaces.js';
import { requireRoomFor } from '../../tree/add-node.js';
import type { Change } from '../../tree/change.js';
import { detachedTrees } from '../../tree/detached.js';
import { type ContentNode, nodes } from '../../tree/node.js';
import { typesStampOf } from '../../tree/stored-types.js';

import type { Imported } from './import-tree.js';
import { importLost, typesChanged, type XmlStage } from './staged-xml.js';
import { atLine } from './xml-line.js';

/** An import that waits out of the tree to be published: whole, and sound by itself. */
export interface StagedXml extends Pick<XmlStage, 'rootId' | 'targetId' | 'stamp' | 'namespaces'> {
  /** The topmost nodes in their order, with their lines. */
  readonly top: readonly { readonly id: string; readonly line: number }[];
  readonly created: number;
}

/**
 * Puts the topmost nodes of a staged import in their places, and with them all of it.
 * @throws ALREADY_EXISTS, BAD_REQUEST (with the line); UNAVAILABLE (given up, or what it rests on has changed)
 */
export function* publishXml(change: Change, target: ContentNode, staged: StagedXml): Generator<void, Imported, void> {
  const { draft } = change;
  if (draft.get(detachedTrees, staged.rootId)?.isStaging !== true) throw importLost();
  if (target.id !== staged.targetId) throw busyTree(change.pathOf(target));
  if (typesStampOf(draft) !== staged.stamp) throw typesChanged();
  registerNamespaces(change, staged.namespaces);
  for (const { id, line } of staged.top) {
    atLine(line, () => attach(change, target, id));
    yield;
  }
  draft.remove(nodes, staged.rootId);
  draft.remove(detachedTrees, staged.rootId);
  return { nodeIds: staged.top.map(({ id }) => id), created: staged.created, replaced: 0 };
}

function attach(change: Change, target: ContentNode, id: string): void {
  const node = change.draft.get(nodes, id);
  if (node === undefined) throw importLost();
  change.requireOpenFor(target, node);
  const { sns } = change.types.childOf(change, target, node);
  requireRoomFor(change, target, { name: node.name, sns });
  const { sns: _, ...rest } = node;
  change.put({ ...rest, parent: target.id, order: change.lastKey(target, sns), ...(sns && { sns }) });
}
