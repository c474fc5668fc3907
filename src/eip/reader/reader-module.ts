import type { ReaderModule } from '../../store/documents.js';
import { eipCollections } from '../collections.js';

/** The routes' part in the reader's threads. */
export const readerModule: ReaderModule = { collections: eipCollections, queries: [] };
