import type { BatchBegun } from '../../engine/index.js';
import { maySupervise } from '../../shared/rights/roles.js';
import { hasEnded, type LongJob, longJobs } from '../../store/index.js';
import { type Filter, flag, is, isDate, listRoutes, nothing } from './list-route.js';
import { instant, type Json, notThere, type RestAnswer, type RestCall, type RestRoute } from './rest-call.js';

// Work on many things, as Camunda's clients follow it.

/** Camunda's names of the kinds of batches. */
const TYPES: Readonly<Record<string, string>> = {
  'migrate-instances': 'instance-migration',
  'modify-instances': 'instance-modification',
  'restart-instances': 'instance-restart',
  'set-variables': 'set-variables',
  'set-job-retries': 'set-job-retries',
  'set-external-task-retries': 'set-external-task-retries',
};

/** Camunda's BatchDto. */
const batchDto = (job: LongJob): Json => ({
  id: job.id,
  type: TYPES[job.type] ?? job.type,
  totalJobs: job.figures.itemsTotal,
  jobsCreated: job.figures.itemsTotal,
  batchJobsPerSeed: 100,
  invocationsPerBatchJob: 1,
  seedJobDefinitionId: null,
  monitorJobDefinitionId: null,
  batchJobDefinitionId: null,
  suspended: false,
  tenantId: null,
  createUserId: job.userId,
  startTime: instant(job.created),
  executionStartTime: job.started === null ? null : instant(job.started),
});

/** Camunda's BatchStatisticsDto. */
function statisticsDto(job: LongJob): Json {
  const { itemsTotal, itemsProcessed, itemsError } = job.figures;
  const failedJobs = itemsError ?? 0;
  const completedJobs = itemsProcessed - failedJobs;
  return { ...batchDto(job), remainingJobs: itemsTotal - completedJobs, completedJobs, failedJobs };
}

/** Camunda's HistoricBatchDto. */
function historicDto(job: LongJob): Json {
  const { jobsCreated: _, suspended: __, ...batch } = batchDto(job);
  return { ...batch, endTime: job.ended === null ? null : instant(job.ended), removalTime: null };
}

const isBatch = ({ type }: LongJob): boolean => Object.hasOwn(TYPES, type);

/** The batch of the path, whoever began it or may supervise. @throws NOT_FOUND */
function seenBatch({ state, caller }: RestCall, id: string): LongJob {
  const job = state.get(longJobs, id);
  if (job !== undefined && isBatch(job) && (maySupervise(caller) || job.userId === caller.userId)) return job;
  throw notThere('batch', id);
}

/** What a call has begun. */
export const batchOf = (call: RestCall, { id }: BatchBegun): RestAnswer => ({ json: batchDto(seenBatch(call, id)) });

/** One that goes on. @throws NOT_FOUND */
function openBatch(call: RestCall): LongJob {
  const job = seenBatch(call, call.param('id'));
  if (hasEnded(job.actor.value)) throw notThere('batch', job.id);
  return job;
}

/** What was sent is not taken back, the rest is not sent. */
async function remove(call: RestCall): Promise<RestAnswer> {
  const { id, type } = openBatch(call);
  await call.send(call.services.abortLongJob, { jobId: id, type });
  return null;
}

const typeIs: Filter = (value, name, values) =>
  is('type')(Object.keys(TYPES).find((type) => TYPES[type] === value) ?? value, name, values);

const listOf = (path: string, always: 'open' | 'all', dto: (job: LongJob) => Json) =>
  listRoutes<LongJob>({
    path,
    collection: longJobs,
    always: [
      { op: 'in', column: 'type', values: Object.keys(TYPES) },
      ...(always === 'open' ? [{ op: 'isNull', column: 'ended' } as const] : []),
    ],
    shown: (caller) => (maySupervise(caller) ? [] : [{ op: 'eq', column: 'userId', value: caller.userId }]),
    filters: {
      batchId: is('id'),
      type: typeIs,
      createdBy: is('userId'),
      startedBefore: isDate('created', 'le'),
      startedAfter: isDate('created', 'ge'),
      suspended: flag([{ op: 'any', of: [] }]),
      ...(always === 'all' && {
        completed: flag([{ op: 'notNull', column: 'ended' }], [{ op: 'isNull', column: 'ended' }]),
      }),
      tenantIdIn: nothing,
      withoutTenantId: flag([]),
    },
    sorts: { batchId: 'id', startTime: 'created', ...(always === 'all' && { endTime: 'ended' }) },
    sorted: 'created',
    dto: (_, job) => dto(job),
  });

/** Routes of batches, with their statistics and history. */
export const batchRoutes: readonly RestRoute[] = [
  ...listOf('batch/statistics', 'open', statisticsDto),
  ...listOf('batch', 'open', batchDto),
  { method: 'GET', path: 'batch/:id', answer: (call) => ({ json: batchDto(openBatch(call)) }) },
  { method: 'DELETE', path: 'batch/:id', answer: remove },
  ...listOf('history/batch', 'all', historicDto),
  {
    method: 'GET',
    path: 'history/batch/:id',
    answer: (call) => ({ json: historicDto(seenBatch(call, call.param('id'))) }),
  },
];
