import type { AnyCollection } from '../store/index.js';
import { typeDependents } from './edit/mixins.js';
import { onRemoved } from './large/delete-node.js';
import { jobMount } from './large/job-mount.js';
import { onSwept } from './large/sweep.js';
import { onTyped } from './tree/add-node.js';
import { onRestructured } from './tree/change.js';
import { detachedTrees } from './tree/detached.js';
import { nodes } from './tree/node.js';
import { treeSetups } from './tree/standard-tree.js';
import { typePacks, typeStamps } from './tree/stored-types.js';
import { mounts } from './tree/tree.js';
import { uploads } from './upload/upload.js';
import { breakFreezings, unsettle } from './version/settled.js';
import { unversioning } from './version/unversioning.js';
import { versionCollections } from './version/version.js';
import { beginVersioning, forgetHistories, forgetSwept } from './version/version-history.js';
import { versionMount } from './version/version-mount.js';

/** All that the repository stores in a partition. */
export const contentCollections: readonly AnyCollection[] = [
  nodes,
  typePacks,
  typeStamps,
  uploads,
  detachedTrees,
  treeSetups,
  ...versionCollections,
];

// What rooms take part in below them: versions in what happens to nodes, and whatever is shown in the tree but kept elsewhere.
// Whoever decides or reads imports this first: `content.ts` and `reader-module.ts` do.

mounts.give(versionMount, jobMount);
onTyped.give(beginVersioning);
onRestructured.give(breakFreezings, unsettle);
typeDependents.give(unversioning);
onRemoved.give(forgetHistories);
onSwept.give(forgetSwept);
