import {
  findDefinition,
  type ProcessInstance,
  processDefinitions,
  processInstances,
  swept,
} from '../../engine/index.js';
import type { Condition } from '../../store/index.js';
import { flag, is, isDate, isOneOf, type ListedResource, listRoutes, nothing } from './list-route.js';
import { visibleInstance } from './process-dto.js';
import { instant, type Json, type RestCall, type RestRoute } from './rest-call.js';

// What has happened, as Camunda's clients look for it: instances, running or ended.

/** Camunda's names of the states of an instance. */
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
    rootProcessInstanceId: rootOf(state, instance),
  };
}

/** Levels of calls. */
const CALLS_MAX = 100;

/** The id of the instance that nobody called, as far as it is still known. */
export function rootOf(state: RestCall['state'], instance: ProcessInstance): string {
  let root = instance;
  for (let n = 0; n < CALLS_MAX && root.calledBy !== null; n++) {
    const caller = state.get(processInstances, root.calledBy.instanceId);
    if (caller === undefined) return root.calledBy.instanceId;
    root = caller;
  }
  return root.id;
}

/** Fields of Camunda's history that are always null here. */
export const NOT_HERE = { tenantId: null, removalTime: null, rootProcessInstanceId: null };

export const times = (startTime: number, endTime: number | null) => ({
  startTime: instant(startTime),
  endTime: endTime === null ? null : instant(endTime),
  durationInMillis: endTime === null ? null : endTime - startTime,
});

const inState = (value: ProcessInstance['actor']['value']): readonly Condition[] => [
  { op: 'eq', column: 'state', value },
];

/** Instances, running or ended, as they are looked for. */
export const historicInstances: ListedResource<ProcessInstance> = {
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
};

/** Routes of the history of process instances. */
export const historyRoutes: readonly RestRoute[] = [
  ...listRoutes(historicInstances),
  {
    method: 'GET',
    path: 'history/process-instance/:id',
    answer: (call) => ({ json: instanceDto(call, visibleInstance(call, call.param('id'))) }),
  },
];
