import type { ReaderModule } from '../store/index.js';
import { contentApps } from './app/app-files.js';
import { copyPage, planCopy } from './large/plan-copy.js';
import { countBelow, planDelete } from './large/plan-delete.js';
import { foreignLock } from './lock/locks-below.js';
import { planNodeTypes } from './registration/planned-types.js';
import { contentCollections } from './repository.js';
import { archivePage, archiveWalk } from './transfer/archive-walk.js';
import { exportXml } from './transfer/xml/export-xml-page.js';
import { changersBelow } from './tree/access-control-view.js';
import { contentChildren } from './tree/children.js';
import { contentFiles } from './tree/files.js';
import { contentBelow } from './tree/nodes-below.js';
import { contentReferences } from './tree/property-references.js';
import { freezePage, planChunks, planFreeze } from './version/plan-freeze.js';
import { planRestore, restoredPage } from './version/plan-restore.js';
import { versionGarbage } from './version/sweep-versions.js';
import { contentVersions } from './version/version-view.js';

/** Collections and queries of the repository, for the reader's threads. */
export const readerModule: ReaderModule = {
  collections: contentCollections,
  queries: [
    contentChildren,
    contentFiles,
    contentBelow,
    contentApps,
    foreignLock,
    contentReferences,
    planDelete,
    planCopy,
    copyPage,
    countBelow,
    changersBelow,
    archiveWalk,
    archivePage,
    planNodeTypes,
    exportXml,
    contentVersions,
    freezePage,
    planChunks,
    planFreeze,
    planRestore,
    restoredPage,
    versionGarbage,
  ],
};
