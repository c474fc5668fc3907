import { type NameChange, type NameChanger, put, remove, withNameChanged } from '../store/index.js';
import { Change } from './tree/change.js';
import { type AccessEntry, type ContentNode, nodes } from './tree/node.js';
import { withoutLock } from './tree/protection.js';
import { type Upload, uploads } from './upload/upload.js';
import { type FrozenNode, frozenNodes } from './version/version.js';

// What becomes of nodes, versions and uploads of users and groups that go, or get another name.

/** Nodes without their entries and locks. Whatever a type says, and whoever has locked or checked in: this is none of theirs. */
const nodeNames: NameChanger = {
  collection: nodes,
  change: (state, found: readonly ContentNode[], change, { caller }) => {
    const made = new Change(state, caller, [], true);
    const version = made.draft.revision;
    for (const node of found) made.draft.put(nodes, { ...renamed(node, change), version });
    return made.decision(null);
  },
};

function renamed(node: ContentNode, change: NameChange): ContentNode {
  const isBroken = change.to === null && node.lock?.owner === change.from;
  return withoutEmptyList(withNameChanged(nodes, isBroken ? withoutLock(node) : node, change));
}

/** What versions keep of a node: a restore gives nobody what was another's. */
const frozenNames: NameChanger = {
  collection: frozenNodes,
  change: (_state, found: readonly FrozenNode[], change) => ({
    write: found.map((frozen) => put(frozenNodes, withoutEmptyList(withNameChanged(frozenNodes, frozen, change)))),
  }),
};

/** A node whose list is empty has none. */
function withoutEmptyList<T extends { readonly acl?: readonly AccessEntry[] }>(document: T): T {
  if (document.acl === undefined || document.acl.length > 0) return document;
  const { acl: _, ...rest } = document;
  return rest as T;
}

/** Uploads of users that are gone are gone, too; their bytes are discarded, as nobody owns them. */
const uploadNames: NameChanger = {
  collection: uploads,
  change: (_state, found: readonly Upload[], change) => ({
    write: found.map((upload) =>
      change.to === null ? remove(uploads, upload.id) : put(uploads, withNameChanged(uploads, upload, change)),
    ),
  }),
};

export const contentNames: readonly NameChanger[] = [nodeNames, frozenNames, uploadNames];
