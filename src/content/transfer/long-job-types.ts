import type { LongJobType } from '../../store/index.js';
import type { ContentServices } from '../content-services.js';
import { deleteJobType } from '../large/delete-job.js';
import { archiveJobType } from './archive-job.js';
import { importJobType } from './import-job.js';

/** What the content does by long jobs. */
export const contentLongJobTypes = (services: ContentServices): readonly LongJobType[] => [
  deleteJobType(services.largeWork),
  archiveJobType(services),
  importJobType(services),
];
