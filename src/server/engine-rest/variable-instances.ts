import {
  instanceOfExecution,
  type ProcessInstance,
  presentInstance,
  type ScopedVariables,
  scopedVariables,
  tasks,
} from '../../engine/index.js';
import { badRequest } from '../../shared/errors.js';
import { NOT_HERE, rootOf } from './history.js';
import { instancesIn } from './instance-history.js';
import { seenInstance, visibleInstance } from './process-dto.js';
import { instant, type Json, notThere, type RestAnswer, type RestCall, type RestRoute } from './rest-call.js';
import { among, type Given, like, type ToldList, told, toldRoutes } from './told-list.js';
import { isDeserialized, variableValues } from './variable-value.js';

// Variables of all scopes of instances, as Camunda's clients look for them. The id of one is `<instance>:<scope>:<name>`.

/** What is told of a variable in either list. */
function variablesIn(call: RestCall, instance: ProcessInstance): readonly Json[] {
  return scopedVariables(call.state, instance).flatMap((scope) =>
    Object.entries(variableValues(scope.variables, isDeserialized(call))).map(([name, value]) => ({
      id: `${instance.id}:${scope.scopeId}:${name}`,
      name,
      ...(value as Json),
      processDefinitionId: instance.definitionId,
      processInstanceId: instance.id,
      executionId: scope.tokenId === null ? instance.id : `${instance.id}:${scope.tokenId}`,
      caseInstanceId: null,
      caseExecutionId: null,
      taskId: scope.ofTask.includes(name) ? taskOf(call, instance, scope) : null,
      activityInstanceId: scope.scopeId === 0 ? instance.id : `${instance.id}:${scope.scopeId}`,
      errorMessage: null,
      tenantId: null,
    })),
  );
}

const taskOf = ({ state }: RestCall, { id }: ProcessInstance, { tokenId }: ScopedVariables): string | null =>
  state.find(tasks, 'instance', [id]).find((task) => task.tokenId === tokenId)?.id ?? null;

/** Parameters that say whose variables are meant: an id of an instance, or one that begins with it. */
const OF_INSTANCES = ['processInstanceIdIn', 'executionIdIn', 'activityInstanceIdIn', 'variableScopeIdIn'];

/** Of running instances. @throws BAD_REQUEST (none is meant), NOT_FOUND */
function running(call: RestCall, given: Given): readonly Json[] {
  const byId = OF_INSTANCES.flatMap((name) => given.get(name) ?? []).map(instanceOfExecution);
  const byTask = (given.get('taskIdIn') ?? []).flatMap((id) => call.state.get(tasks, id)?.instanceId ?? []);
  const ids = [...new Set([...byId, ...byTask])];
  if (ids.length === 0 && !given.has('taskIdIn'))
    throw badRequest(
      `expected one of ${OF_INSTANCES.join(', ')}, taskIdIn to say whose variables are meant, but found none`,
      {
        reason: 'argument_missing',
        details: { argument: 'processInstanceIdIn' },
      },
    );
  return ids
    .map((id) => seenInstance(call, id))
    .filter(({ endTime }) => endTime === null)
    .flatMap((instance) => variablesIn(call, instance).map((each) => ({ ...each, batchId: null })));
}

const filters: ToldList['filters'] = {
  variableName: among('name'),
  variableNameIn: among('name'),
  variableNameLike: like('name'),
  executionIdIn: among('executionId'),
  activityInstanceIdIn: among('activityInstanceId'),
  taskIdIn: among('taskId'),
};

const sorts = { variableName: 'name', variableType: 'type', activityInstanceId: 'activityInstanceId' };

const runningOnes: ToldList = {
  path: 'variable-instance',
  all: running,
  filters: { ...filters, processInstanceIdIn: told, variableScopeIdIn: among('activityInstanceId') },
  sorts,
};

const historicOnes: ToldList = {
  path: 'history/variable-instance',
  all: (call, given) => instancesIn(call, given).flatMap((instance) => historic(call, instance)),
  filters: {
    ...filters,
    processInstanceId: told,
    processInstanceIdIn: told,
    processDefinitionId: among('processDefinitionId'),
    processDefinitionKey: among('processDefinitionKey'),
    variableTypeIn: (item, values) => values.some((type) => type.toLowerCase() === String(item.type).toLowerCase()),
    includeDeleted: told,
  },
  sorts: { instanceId: 'processInstanceId', variableName: 'name', variableId: 'id' },
};

/** Camunda's HistoricVariableInstanceDtos. */
const historic = (call: RestCall, instance: ProcessInstance): readonly Json[] =>
  variablesIn(call, instance).map((each) => ({
    ...each,
    processDefinitionKey: instance.definitionKey,
    ...{ caseDefinitionKey: null, caseDefinitionId: null },
    ...{ state: 'CREATED', createTime: instant(instance.startTime) },
    ...NOT_HERE,
    rootProcessInstanceId: rootOf(call.state, instance),
  }));

/** The variable of the path. @throws NOT_FOUND */
function one(call: RestCall, of: (instance: ProcessInstance) => readonly Json[]): RestAnswer {
  const id = call.param('id');
  const [instanceId = ''] = id.split(':');
  const instance = presentInstance(call.state, instanceId);
  const found = instance && of(visibleInstance(call, instanceId)).find((each) => each.id === id);
  if (found === undefined) throw notThere('variable instance', id);
  return { json: found };
}

/** Routes of variable instances. */
export const variableInstances: readonly RestRoute[] = [
  ...toldRoutes(runningOnes),
  {
    method: 'GET',
    path: 'variable-instance/:id',
    answer: (call) => one(call, (instance) => running(call, new Map([['processInstanceIdIn', [instance.id]]]))),
  },
  ...toldRoutes(historicOnes),
  {
    method: 'GET',
    path: 'history/variable-instance/:id',
    answer: (call) => one(call, (instance) => historic(call, instance)),
  },
];
