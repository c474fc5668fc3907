import type { ReaderModule } from '../../store/index.js';
import { contentCollections } from '../collections.js';
import { archivePage, archiveWalk } from './archive-walk.js';
import { changersBelow } from './changers-below.js';
import { contentChildren } from './children.js';
import { copyPage } from './copy-page.js';
import { countBelow } from './count-below.js';
import { exportXml } from './export-xml.js';
import { contentFiles } from './files.js';
import { foreignLock } from './foreign-lock.js';
import { planCopy } from './plan-copy.js';
import { planDelete } from './plan-delete.js';
import { planNodeTypes } from './plan-node-types.js';
import { contentReferences } from './references.js';
import { versionQueries } from './version-queries.js';

/** What the reader's threads know of the repository. */
export const readerModule: ReaderModule = {
  collections: contentCollections,
  queries: {
    contentChildren,
    contentFiles,
    contentForeignLock: foreignLock,
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
    ...versionQueries,
  },
};
