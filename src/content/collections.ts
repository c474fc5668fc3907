import type { AnyCollection } from '../store/index.js';
import { detachedTrees } from './tree/detached.js';
import { nodes } from './tree/node.js';
import { treeSetups } from './tree/standard-tree.js';
import { typePacks, typeStamps } from './tree/stored-types.js';
import { uploads } from './upload/upload.js';
import { versionCollections } from './version/version.js';

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
