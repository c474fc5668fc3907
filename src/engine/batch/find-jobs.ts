import { mayWork } from '../../shared/rights/processes.js';
import { maySupervise } from '../../shared/rights/roles.js';
import type { State } from '../../store/index.js';
import { type ExternalTask, externalTasks, type Job, jobs } from '../collections.js';
import type { Page, PageRequest } from './batch-type.js';
import { all, along, nextPage } from './walk.js';

/** Which jobs or external tasks are meant: all that is said must hold. */
interface PlaceFilter {
  readonly processInstanceId?: string | null;
  readonly definitionId?: string | null;
  readonly definitionKey?: string | null;
  readonly activityId?: string | null;
}

/** Which jobs are meant. */
export interface JobFilter extends PlaceFilter {
  /** `timer`, `continuation`, `call` … */
  readonly type?: string | null;
  /** Default: those that have failed as often as they may. */
  readonly state?: Job['actor']['value'] | null;
}

/** Filter of external tasks. */
export interface ExternalTaskFilter extends PlaceFilter {
  readonly topic?: string | null;
  /** Default: those that have failed as often as they may. */
  readonly inState?: ExternalTask['actor']['value'] | null;
}

/** The next of the jobs that the caller may see, in the order in which they are due. */
export function findJobs(state: State, filter: JobFilter, { after, caller }: PageRequest): Page {
  const { processInstanceId, definitionId, type } = filter;
  let chosen = all<Job>('due');
  if (processInstanceId != null) chosen = along('instance', (job) => job.instanceId, processInstanceId);
  else if (definitionId != null) chosen = along('definition', (job) => job.definitionId, definitionId);
  const walk = { ...chosen, collection: jobs, from: Number.MIN_SAFE_INTEGER, at: ({ dueAt }: Job) => dueAt };
  return nextPage(
    state,
    walk,
    after,
    (job) =>
      maySupervise(caller) &&
      job.actor.value === (filter.state ?? 'dead') &&
      (type == null || job.type === type) &&
      isAt(job, job.activityId, filter),
  );
}

/** The next of the external tasks that the caller may see, oldest first. */
export function findExternalTasks(state: State, filter: ExternalTaskFilter, request: PageRequest): Page {
  const { processInstanceId, topic } = filter;
  const { after, until, caller } = request;
  let chosen = all<ExternalTask>('created');
  if (processInstanceId != null) chosen = along('instance', (task) => task.instanceId, processInstanceId);
  else if (topic != null) chosen = along('topic', (task) => task.topic, topic);
  const walk = { ...chosen, collection: externalTasks, from: 0, at: ({ created }: ExternalTask) => created };
  return nextPage(
    state,
    { ...walk, goesOn: (task) => chosen.goesOn(task) && task.created <= until },
    after,
    (task) =>
      mayWork(caller) &&
      task.actor.value === (filter.inState ?? 'failed') &&
      (topic == null || task.topic === topic) &&
      isAt(task, task.elementId, filter),
  );
}

interface Placed {
  readonly instanceId: string | null;
  readonly definitionId: string | null;
  readonly definitionKey: string | null;
}

const isAt = (one: Placed, element: string | null, filter: PlaceFilter): boolean =>
  (filter.processInstanceId == null || one.instanceId === filter.processInstanceId) &&
  (filter.definitionId == null || one.definitionId === filter.definitionId) &&
  (filter.definitionKey == null || one.definitionKey === filter.definitionKey) &&
  (filter.activityId == null || element === filter.activityId);
