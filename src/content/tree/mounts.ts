import { jobMount } from '../large/job-mount.js';
import { versionMount } from '../version/version-mount.js';
import type { Mount } from './tree.js';

/** What is shown in the tree but kept elsewhere. */
export const contentMounts: readonly Mount[] = [versionMount, jobMount];
