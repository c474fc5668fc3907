import {
  type JobSubject,
  jobsAbout,
  type Job as StoredJob,
  type NewJob as StoredNewJob,
} from '../../store/documents.js';
import { leavingBehind, outermost, pathOfJob } from './gone.js';

/** Subject of a job of the engine: an instance or a definition, and where in it. Of another domain's job all are null. */
interface JobPlace {
  readonly instanceId: string | null;
  readonly definitionId: string | null;
  readonly definitionKey: string | null;
  readonly activityId: string | null;
  readonly executionId: string | null;
}

/** A new job of a decision of the engine. Jobs with the name of an instance as `exclusive` are that instance's. */
export type NewJob = StoredNewJob & Partial<JobPlace>;

/** A job as the engine sees it; those of a suspended instance or definition wait. */
export type Job = StoredJob & JobPlace;

/** Every job of a partition, found by what it is about. */
export const jobs = jobsAbout<JobPlace>({
  columns: {
    instanceId: (job) => job.instanceId,
    definitionId: (job) => job.definitionId,
    definitionKey: (job) => job.definitionKey,
    activityId: (job) => job.activityId,
    scope: (job) => outermost(pathOfJob(job)),
  },
  leftBehind: leavingBehind((job) => ({ within: pathOfJob(job) })),
  indexes: {
    instance: { columns: ['instanceId', 'dueAt'] },
    definition: { columns: ['definitionId', 'dueAt'] },
  },
});

/** Subject of the jobs of a store with the engine. */
export const jobSubject: JobSubject<JobPlace> = {
  jobs,
  of: (job) => ({
    instanceId: job.instanceId ?? null,
    definitionId: job.definitionId ?? null,
    definitionKey: job.definitionKey ?? null,
    activityId: job.activityId ?? null,
    executionId: job.executionId ?? null,
  }),
  cause: ({ instanceId }) => (instanceId === null ? {} : { instanceId }),
  incident: ({ instanceId, definitionId, definitionKey, activityId, executionId }) => ({
    ...{ instanceId, definitionId, definitionKey, activityId, executionId },
  }),
  spanName: ({ activityId }) => activityId ?? '',
  spanAttributes: ({ id, activityId, instanceId, definitionKey, actor }) => ({
    'messaging.system': 'bpm',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'bpm.job.id': id,
    'bpm.job.attempt': actor.context.attempt,
    ...(activityId !== null && { 'bpm.activity.id': activityId }),
    ...(instanceId !== null && { 'bpm.process.instance.id': instanceId }),
    ...(definitionKey !== null && { 'bpm.process.definition.key': definitionKey }),
  }),
};
