import {
  type ActivityInstance,
  activityHistory,
  findDefinition,
  type ProcessInstance,
  processDefinitions,
  processInstances,
  processVariables,
  swept,
} from '../../engine/index.js';
import { badRequest } from '../../shared/errors.js';
import type { Condition } from '../../store/index.js';
import { flag, is, isDate, isOneOf, listRoutes, nothing } from './list-route.js';
import { visibleInstance } from './process-dto.js';
import { instant, type Json, type RestAnswer, type RestCall, type RestRoute, unfit } from './rest-call.js';
import { isDeserialized, variableValues } from './variable-value.js';

// What has happened, as Camunda's clients look for it: instances, running or ended, and of one its activities and variables.

/** What Camunda calls the states of an instance. */
const STATES: Readonly<Record<ProcessInstance['actor']['value'], string>> = {
  active: 'ACTIVE',
  suspended: 'SUSPENDED',
  completed: 'COMPLETED',
  cancelled: 'EXTERNALLY_TERMINATED',
  failed: 'INTERNALLY_TERMINATED',
};

/** Camunda's HistoricProcessInstanceDto. */
function instanceDto({ state }: RestCall, stored: ProcessInstance): Json {
  const instance = swept(stored, state.get(processDefinitions, stored.definitionId));
  const { startTime, endTime } = instance;
  const definition = findDefinition(state, { id: instance.definitionId });
  return {
    id: instance.id,
    businessKey: instance.businessKey,
    processDefinitionId: instance.definitionId,
    processDefinitionKey: instance.definitionKey,
    processDefinitionName: definition?.name ?? null,
    processDefinitionVersion: definition?.version ?? null,
    ...times(startTime, endTime),
    startUserId: instance.startUserId,
    startActivityId: null,
    deleteReason: instance.deleteReason,
    superProcessInstanceId: instance.calledBy?.instanceId ?? null,
    superCaseInstanceId: null,
    caseInstanceId: null,
    state: STATES[instance.actor.value],
    restartedProcessInstanceId: null,
    ...NOT_HERE,
  };
}

const NOT_HERE = { tenantId: null, removalTime: null, rootProcessInstanceId: null };

const times = (startTime: number, endTime: number | null) => ({
  startTime: instant(startTime),
  endTime: endTime === null ? null : instant(endTime),
  durationInMillis: endTime === null ? null : endTime - startTime,
});

const inState = (value: ProcessInstance['actor']['value']): readonly Condition[] => [
  { op: 'eq', column: 'state', value },
];

const instances = listRoutes<ProcessInstance>({
  path: 'history/process-instance',
  collection: processInstances,
  always: [{ op: 'notNull', column: 'startTime' }],
  filters: {
    processInstanceId: is('id'),
    processInstanceIds: isOneOf('id'),
    processDefinitionId: is('definitionId'),
    processDefinitionKey: is('definitionKey'),
    processDefinitionKeyIn: isOneOf('definitionKey'),
    processInstanceBusinessKey: is('businessKey'),
    processInstanceBusinessKeyIn: isOneOf('businessKey'),
    superProcessInstanceId: is('caller'),
    rootProcessInstances: flag([{ op: 'isNull', column: 'caller' }]),
    startedBy: is('starter'),
    startedBefore: isDate('startTime', 'le'),
    startedAfter: isDate('startTime', 'ge'),
    finishedBefore: isDate('endTime', 'le'),
    finishedAfter: isDate('endTime', 'ge'),
    finished: flag([{ op: 'notNull', column: 'endTime' }]),
    unfinished: flag([{ op: 'isNull', column: 'endTime' }]),
    withIncidents: flag([{ op: 'notNull', column: 'withIncidents' }]),
    active: flag(inState('active')),
    suspended: flag(inState('suspended')),
    completed: flag(inState('completed')),
    externallyTerminated: flag(inState('cancelled')),
    internallyTerminated: flag(inState('failed')),
    tenantIdIn: nothing,
    withoutTenantId: flag([]),
  },
  variables: { variables: 'process' },
  sorts: {
    instanceId: 'id',
    definitionId: 'definitionId',
    definitionKey: 'definitionKey',
    businessKey: 'businessKey',
    startTime: 'startTime',
    endTime: 'endTime',
  },
  sorted: 'startTime',
  dto: (call, instance) => instanceDto(call, instance),
});

/** The one instance that is asked about, by the query or the body. @throws BAD_REQUEST, NOT_FOUND */
function instanceOf(call: RestCall, known: readonly string[]): ProcessInstance {
  for (const name of call.query.keys())
    if (!known.includes(name)) throw unfit(name, `one of ${known.join(', ')}`, name);
  const id = call.query.get('processInstanceId');
  if (id === null)
    throw badRequest('expected the id of a process instance as the parameter processInstanceId, but there is none', {
      reason: 'argument_missing',
      details: { argument: 'processInstanceId' },
    });
  return visibleInstance(call, id);
}

const ACTIVITY_PARAMETERS = ['processInstanceId', 'activityId', 'activityType', 'finished', 'unfinished', 'canceled'];

/** Camunda's HistoricActivityInstanceDtos of one instance, by start time. */
async function activities(call: RestCall): Promise<RestAnswer> {
  const instance = instanceOf(call, ACTIVITY_PARAMETERS);
  const [found = []] = await call.ask(activityHistory, { instanceIds: [instance.id] });
  const { query } = call;
  const isWanted = (each: ActivityInstance): boolean =>
    [null, each.activityId].includes(query.get('activityId')) &&
    [null, each.activityType].includes(query.get('activityType')) &&
    (query.get('finished') !== 'true' || each.endTime !== null) &&
    (query.get('unfinished') !== 'true' || each.endTime === null) &&
    (query.get('canceled') !== 'true' || each.canceled);
  return { json: found.filter(isWanted).map((each) => activityDto(instance, each)) };
}

const activityDto = (instance: ProcessInstance, activity: ActivityInstance): Json => ({
  id: activity.id,
  parentActivityInstanceId: activity.parentActivityInstanceId ?? instance.id,
  activityId: activity.activityId,
  activityName: activity.activityName,
  activityType: activity.activityType,
  processDefinitionKey: instance.definitionKey,
  processDefinitionId: instance.definitionId,
  processInstanceId: instance.id,
  executionId: null,
  taskId: activity.taskId,
  calledProcessInstanceId: null,
  calledCaseInstanceId: null,
  assignee: null,
  ...times(activity.startTime, activity.endTime),
  canceled: activity.canceled,
  completeScope: activity.completeScope,
  ...NOT_HERE,
});

/** Camunda's HistoricVariableInstanceDtos of one instance: those of the process, by name. */
function variables(call: RestCall): RestAnswer {
  const instance = instanceOf(call, ['processInstanceId', 'variableName', 'deserializeValues']);
  const name = call.query.get('variableName');
  const shown = variableValues(processVariables(call.state, instance), isDeserialized(call));
  const wanted = Object.entries(shown).filter(([each]) => name === null || each === name);
  return {
    json: wanted.map(([each, value]) => ({
      id: `${instance.id}:${each}`,
      name: each,
      ...(value as Json),
      processDefinitionKey: instance.definitionKey,
      processDefinitionId: instance.definitionId,
      processInstanceId: instance.id,
      executionId: instance.id,
      activityInstanceId: instance.id,
      ...{ caseDefinitionKey: null, caseDefinitionId: null, caseInstanceId: null, caseExecutionId: null },
      ...{ taskId: null, errorMessage: null, state: 'CREATED', createTime: instant(instance.startTime) },
      ...NOT_HERE,
    })),
  };
}

/** What has happened. */
export const historyRoutes: readonly RestRoute[] = [
  ...instances,
  {
    method: 'GET',
    path: 'history/process-instance/:id',
    answer: (call) => ({ json: instanceDto(call, visibleInstance(call, call.param('id'))) }),
  },
  { method: 'GET', path: 'history/activity-instance', answer: activities },
  { method: 'GET', path: 'history/variable-instance', answer: variables },
];
