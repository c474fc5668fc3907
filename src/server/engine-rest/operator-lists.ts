import { type Job, jobs, presentJob } from '../../engine/index.js';
import { type Condition, type Incident, incidents } from '../../store/index.js';
import { flag, is, isDate, isOneOf, listRoutes, nothing } from './list-route.js';
import { named, plainText } from './named.js';
import {
  dateIn,
  flagIn,
  instant,
  type Json,
  type RestAnswer,
  type RestCall,
  type RestRoute,
  textIn,
  unfit,
  wholeIn,
} from './rest-call.js';

// Jobs and incidents, as Camunda's clients look for them, and what operators do with them.

/** Camunda's JobDto. */
const jobDto = (job: Job): Json => ({
  id: job.id,
  jobDefinitionId: null,
  processInstanceId: job.instanceId,
  processDefinitionId: job.definitionId,
  processDefinitionKey: job.definitionKey,
  executionId: job.executionId,
  exceptionMessage: job.failure?.message ?? null,
  failedActivityId: job.failure === null ? null : job.activityId,
  retries: job.actor.context.retries,
  dueDate: instant(job.dueAt),
  suspended: job.suspended,
  priority: job.priority ?? 0,
  tenantId: null,
  createTime: instant(job.created),
  batchId: null,
});

const isDead: Condition = { op: 'eq', column: 'state', value: 'dead' };
const isHeld: Condition = {
  op: 'all',
  of: [
    { op: 'eq', column: 'state', value: 'waiting' },
    { op: 'isNull', column: 'queue' },
  ],
};
const TIMERS: Condition = { op: 'in', column: 'type', values: ['timer', 'timerStart'] };
const MESSAGES: Condition = { op: 'eq', column: 'type', value: 'continuation' };

const jobList = listRoutes<Job>({
  path: 'job',
  collection: jobs,
  always: [{ op: 'notNull', column: 'dueAt' }],
  filters: {
    jobId: is('id'),
    jobIds: isOneOf('id'),
    processInstanceId: is('instanceId'),
    processInstanceIds: isOneOf('instanceId'),
    processDefinitionId: is('definitionId'),
    processDefinitionKey: is('definitionKey'),
    activityId: is('activityId'),
    timers: flag([TIMERS]),
    messages: flag([MESSAGES]),
    noRetriesLeft: flag([isDead]),
    withRetriesLeft: flag([{ op: 'not', of: isDead }]),
    active: flag([{ op: 'not', of: isHeld }]),
    suspended: flag([isHeld]),
    tenantIdIn: nothing,
    withoutTenantId: flag([]),
  },
  sorts: {
    jobId: 'id',
    processInstanceId: 'instanceId',
    processDefinitionId: 'definitionId',
    processDefinitionKey: 'definitionKey',
    jobDueDate: 'dueAt',
  },
  sorted: 'dueAt',
  present: presentJob,
  dto: (_, job) => jobDto(job),
});

/** Camunda's IncidentDto. */
const incidentDto = (incident: Incident): Json => ({
  id: incident.id,
  processDefinitionId: incident.definitionId,
  processInstanceId: incident.instanceId,
  executionId: incident.executionId,
  incidentTimestamp: instant(incident.created),
  incidentType: incident.type,
  activityId: incident.activityId,
  // As in Camunda, of jobs alone.
  failedActivityId: incident.type === 'failedJob' ? incident.activityId : null,
  // What has no other cause is its own.
  causeIncidentId: incident.causeIncidentId ?? incident.id,
  rootCauseIncidentId: incident.rootCauseIncidentId ?? incident.id,
  configuration: incident.configuration,
  incidentMessage: incident.message,
  tenantId: null,
  jobDefinitionId: null,
  annotation: incident.actor.context.annotation,
});

const incidentList = listRoutes<Incident>({
  path: 'incident',
  collection: incidents,
  always: [{ op: 'notNull', column: 'created' }],
  filters: {
    incidentId: is('id'),
    incidentType: is('type'),
    processInstanceId: is('instanceId'),
    processDefinitionId: is('definitionId'),
    processDefinitionKeyIn: isOneOf('definitionKey'),
    activityId: is('activityId'),
    incidentTimestampBefore: isDate('created', 'lt'),
    incidentTimestampAfter: isDate('created', 'gt'),
    tenantIdIn: nothing,
  },
  sorts: {
    incidentId: 'id',
    incidentTimestamp: 'created',
    incidentType: 'type',
    activityId: 'activityId',
    processInstanceId: 'instanceId',
    processDefinitionId: 'definitionId',
  },
  sorted: 'created',
  dto: (_, incident) => incidentDto(incident),
});

/** @throws NOT_FOUND */
const job = (call: RestCall): Job => named(call, jobs, 'job', presentJob);

/** Why it failed last: the text alone. */
function stackTrace(call: RestCall): RestAnswer {
  const stack = job(call).failure?.stack ?? null;
  return stack === null ? null : plainText(stack);
}

async function setRetries(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  const retries = wholeIn(json, 'retries');
  if (retries === undefined) throw unfit('retries', 'a number', retries);
  const [id, due] = [call.param('id'), dateIn(json, 'dueDate')];
  await call.send(call.services.api.setRetriesOfJob, { id, retries, ...(due !== undefined && { due }) });
  return null;
}

async function setDueDate(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  const due = dateIn(json, 'duedate');
  if (due === undefined) throw unfit('duedate', 'a date', due);
  const cascade = flagIn(json, 'cascade') ?? false;
  await call.send(call.services.api.setJobDueDate, { id: call.param('id'), due, cascade });
  return null;
}

async function execute(call: RestCall): Promise<RestAnswer> {
  // What a job sets off is known by the command that the job itself came from.
  const { commandId } = job(call).cause;
  await call.sendAndSettle(call.services.api.executeJob, { id: call.param('id') }, commandId);
  return null;
}

async function resolve(call: RestCall): Promise<RestAnswer> {
  const { id } = named(call, incidents, 'incident');
  await call.send(call.services.api.resolveIncident, { id });
  return null;
}

async function annotate(call: RestCall): Promise<RestAnswer> {
  const annotation = textIn(call.json(), 'annotation') ?? null;
  await call.send(call.services.api.setIncidentAnnotation, { id: named(call, incidents, 'incident').id, annotation });
  return null;
}

async function clearAnnotation(call: RestCall): Promise<RestAnswer> {
  await call.send(call.services.api.setIncidentAnnotation, { id: named(call, incidents, 'incident').id });
  return null;
}

/** Routes of jobs and incidents, for those who operate processes. */
export const operatorLists: readonly RestRoute[] = [
  ...jobList,
  { method: 'GET', path: 'job/:id', answer: (call) => ({ json: jobDto(job(call)) }) },
  { method: 'GET', path: 'job/:id/stacktrace', answer: stackTrace },
  { method: 'PUT', path: 'job/:id/retries', answer: setRetries },
  { method: 'PUT', path: 'job/:id/duedate', answer: setDueDate },
  { method: 'POST', path: 'job/:id/execute', answer: execute },
  ...incidentList,
  {
    method: 'GET',
    path: 'incident/:id',
    answer: (call) => ({ json: incidentDto(named(call, incidents, 'incident')) }),
  },
  { method: 'DELETE', path: 'incident/:id', answer: resolve },
  { method: 'PUT', path: 'incident/:id/annotation', answer: annotate },
  { method: 'DELETE', path: 'incident/:id/annotation', answer: clearAnnotation },
];
