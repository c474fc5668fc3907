import type { Mount } from './tree.js';

/** What is shown in the tree but kept elsewhere. */
export const contentMounts: readonly Mount[] = [];
