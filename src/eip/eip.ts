import type { Domain, DomainModule, JobAttempt, JobType } from '../store/index.js';
import { eipCollections } from './collections.js';
import type { EipServices, ReadRoutesQuestion } from './eip-services.js';
import { deployRoutes, withdrawRoutes } from './operation/deploy-routes.js';
import { operateRoute, operateRoutes } from './operation/operate-route.js';
import {
  type EraseRoute,
  eraseRoute,
  keepPlace,
  type RetryRoute,
  recoverRoutes,
  reportRoutes,
  retryRoute,
} from './operation/report-routes.js';
import { ERASE_JOB, RETRY_JOB } from './operation/route-changes.js';

/** Routes, as far as they need nothing to be opened. */
export const eipModule = {
  collections: eipCollections,
  reader: new URL('./reader/reader-module.js', import.meta.url),
} satisfies DomainModule;

/** Operations of the API, by the names of their GraphQL fields where they have one. */
const eipApi = (services: EipServices) => ({
  startRoute: operateRoute(services, 'start'),
  stopRoute: operateRoute(services, 'stop'),
  suspendRoute: operateRoute(services, 'suspend'),
  resumeRoute: operateRoute(services, 'resume'),
  startCamelContext: operateRoutes(services, 'startCamelContext', { verb: 'start', reason: 'all were started' }),
  stopCamelContext: operateRoutes(services, 'stopCamelContext', { verb: 'stop', reason: 'all were stopped' }),
  suspendCamelContext: operateRoutes(services, 'suspendCamelContext', {
    verb: 'suspend',
    reason: 'all were suspended',
  }),
  resumeCamelContext: operateRoutes(services, 'resumeCamelContext', { verb: 'resume', reason: 'all were resumed' }),
  startAllRoutes: operateRoutes(services, 'startAllRoutes', { verb: 'start', reason: 'all were started' }),
  stopAllRoutes: operateRoutes(services, 'stopAllRoutes', { verb: 'stop', reason: 'all were stopped' }),
  deployRoutes: deployRoutes(services),
  withdrawRoutes: withdrawRoutes(services),
});

/** Operations that the runtime's reports, and jobs, send, and nobody else. */
const eipReports = (services: EipServices) => ({
  reportRoutes: reportRoutes(services),
  recoverRoutes: recoverRoutes(services),
  retryRoute: retryRoute(services),
  keepPlace,
  eraseRoute,
});

export type EipApi = ReturnType<typeof eipApi>;
export type EipReports = ReturnType<typeof eipReports>;

/** Routes as a store takes them in. */
export interface Eip extends Domain {
  readonly services: EipServices;
  readonly api: EipApi;
  readonly reports: EipReports;
}

/** Routes as a domain, over their services. */
export function createEip(services: EipServices): Eip {
  const api = eipApi(services);
  const reports = eipReports(services);
  return {
    ...eipModule,
    services,
    api,
    reports,
    operations: [...Object.values(api), ...Object.values(reports)],
    jobTypes: [retryJob(reports), eraseJob],
    evaluators: { readRoutes: (question: ReadRoutesQuestion) => services.readRoutes(question) },
  };
}

const retryJob = ({ retryRoute }: EipReports): JobType<RetryRoute & OfJob> => ({
  type: RETRY_JOB,
  untaken: true,
  run: ({ id, actor, input }) => ({
    operation: retryRoute,
    input: { ...(input as RetryRoute), job: { jobId: id, attempt: actor.context.attempt } },
  }),
});

const eraseJob: JobType<EraseRoute & OfJob> = {
  type: ERASE_JOB,
  untaken: true,
  run: ({ id, actor, input }) => ({
    operation: eraseRoute,
    input: { ...(input as EraseRoute), job: { jobId: id, attempt: actor.context.attempt } },
  }),
};

interface OfJob {
  readonly job: JobAttempt;
}
