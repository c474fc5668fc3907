import type { ReaderModule } from '../../store/index.js';
import { contentCollections } from '../collections.js';
import { contentChildren } from './children.js';
import { contentFiles } from './files.js';

/** What the reader's threads know of the repository. */
export const readerModule: ReaderModule = {
  collections: contentCollections,
  queries: { contentChildren, contentFiles },
};
