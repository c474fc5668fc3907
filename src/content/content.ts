import type { Domain, DomainModule } from '../store/index.js';
import { contentNames } from './change-names.js';
import { checkContent } from './check-content.js';
import { deleteJobType } from './large/delete-job.js';
import { deleting } from './large/delete-node.js';
import { type Preparation, plannedByReader } from './large/make-ready.js';
import { planDelete } from './large/plan-delete.js';
import { preparedCopies } from './large/stage-copy.js';
import { sweepJobType } from './large/sweep.js';
import { lockJobs } from './lock/end-locks.js';
import { lockEvaluators } from './lock/locks-below.js';
import {
  type ContentApi,
  type ContentJobs,
  type ContentServices,
  contentApi,
  contentJobs,
  type NodeOperations,
  nodeOperations,
} from './operations.js';
import { planNodeTypes, registering } from './registration/planned-types.js';
import { contentCollections } from './repository.js';
import { archiveJobType } from './transfer/archive-job.js';
import { importJobType } from './transfer/import-job.js';
import { preparedImports } from './transfer/xml/stage-xml.js';
import { uploadEvaluators } from './upload/staged-bytes.js';
import { preparedCheckIns } from './version/stage-freeze.js';
import { preparedRestores } from './version/stage-restore.js';

/** The content, as far as it needs nothing to be opened. */
export const contentModule = {
  collections: contentCollections,
  reader: new URL('./reader-module.js', import.meta.url),
  check: checkContent,
} satisfies DomainModule;

/** The content as a store takes it in. */
export interface Content extends Required<Omit<Domain, 'projections' | 'reactions' | 'jobSubject'>> {
  /** By name; the resolvers' way to them. */
  readonly api: ContentApi;
  readonly jobs: ContentJobs;
  /** Operations that change nodes, by name. */
  readonly nodes: NodeOperations;
  /** The most characters of an export. */
  readonly xmlCharsMax: number;
}

/** All kinds of large work. */
export const largeKinds: readonly Preparation<ContentServices>[] = [
  plannedByReader(deleting, planDelete),
  plannedByReader(registering, planNodeTypes),
  preparedCopies,
  preparedCheckIns,
  preparedRestores,
  preparedImports,
];

/** Puts the content together. */
export function createContent(services: ContentServices): Content {
  const api = contentApi(services);
  const jobs = contentJobs();
  return {
    ...contentModule,
    api,
    jobs,
    nodes: nodeOperations,
    operations: [
      ...Object.values(api),
      ...Object.values(jobs),
      ...Object.values(nodeOperations).map((one) => one.operation),
    ],
    jobTypes: [sweepJobType, ...lockJobs],
    nameChangers: contentNames,
    longJobTypes: [deleteJobType(services.largeWork), archiveJobType(services), importJobType(services)],
    xmlCharsMax: services.xmlLimits.bytesMax,
    evaluators: {
      ...uploadEvaluators(services),
      ...lockEvaluators(services),
      ...Object.fromEntries(largeKinds.map(({ kind, evaluator }) => [kind, evaluator(services)])),
    },
  };
}
