import { uploads } from './collection/upload.js';

export * from './collection/upload.js';

/** All collections of the content. */
export const contentCollections = [uploads];
