import { freezePage, planChunks } from './freeze-page.js';
import { planFreeze } from './plan-freeze.js';
import { planRestore } from './plan-restore.js';
import { restoredPage } from './restored-page.js';
import { versionGarbage } from './version-garbage.js';
import { contentVersions } from './versions.js';

/** What the reader's threads know of versions. */
export const versionQueries = [
  contentVersions,
  freezePage,
  planChunks,
  planFreeze,
  planRestore,
  restoredPage,
  versionGarbage,
];
