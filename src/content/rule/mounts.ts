import { jobMount } from './job-mount.js';
import type { Mount } from './tree.js';
import { versionMount } from './version-mount.js';

/** What is shown in the tree but kept elsewhere. */
export const contentMounts: readonly Mount[] = [versionMount, jobMount];
