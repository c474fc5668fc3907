import {
  definitionXml,
  findDefinition,
  type ProcessDefinition,
  type ProcessInstance,
  processDefinitions,
  processInstances,
  swept,
} from '../../engine/index.js';
import { type Condition, incidents } from '../../store/index.js';
import {
  type Filter,
  flag,
  is,
  isLike,
  isNoneOf,
  isNumber,
  isOneOf,
  type ListedResource,
  listRoutes,
  nothing,
} from './list-route.js';
import { instanceDto, seenInstance } from './process-dto.js';
import { type Json, notThere, type RestAnswer, type RestCall, type RestRoute } from './rest-call.js';

/** A process definition as Camunda's ProcessDefinitionDto. */
export const definitionDto = (definition: ProcessDefinition): Json => ({
  id: definition.id,
  key: definition.key,
  category: definition.category,
  description: definition.description,
  name: definition.name,
  version: definition.version,
  resource: definition.resourceName,
  deploymentId: definition.deploymentId,
  diagram: null,
  suspended: definition.suspended,
  tenantId: null,
  versionTag: definition.versionTag,
  historyTimeToLive: daysOf(definition.historyTimeToLive),
  startableInTasklist: definition.isStartableInTasklist !== false,
});

/** `P30D` or `30`, as a number of days. */
export function daysOf(timeToLive: string | null): number | null {
  const days = /^P?(\d+)D?$/i.exec(timeToLive ?? '')?.[1];
  return days === undefined ? null : Number(days);
}

const definitions = listRoutes({
  path: 'process-definition',
  collection: processDefinitions,
  always: [{ op: 'notNull', column: 'key' }],
  filters: {
    processDefinitionId: is('id'),
    processDefinitionIdIn: isOneOf('id'),
    key: is('key'),
    keysIn: isOneOf('key'),
    keyLike: isLike('key'),
    name: is('name'),
    nameLike: isLike('name'),
    version: isNumber('version'),
    latestVersion: flag([{ op: 'eq', column: 'latest', value: 1 }]),
    versionTag: is('versionTag'),
    withoutVersionTag: flag([{ op: 'isNull', column: 'versionTag' }]),
    category: is('category'),
    deploymentId: is('deploymentId'),
    active: flag([{ op: 'eq', column: 'suspended', value: 0 }]),
    suspended: flag([{ op: 'eq', column: 'suspended', value: 1 }]),
    startableInTasklist: flag([{ op: 'isNull', column: 'notInTasklist' }]),
    notStartableInTasklist: flag([{ op: 'notNull', column: 'notInTasklist' }]),
    tenantIdIn: nothing,
    withoutTenantId: flag([]),
  },
  sorts: {
    id: 'id',
    key: 'key',
    name: 'name',
    version: 'version',
    category: 'category',
    deploymentId: 'deploymentId',
    versionTag: 'versionTag',
  },
  sorted: 'key',
  dto: (_, definition) => definitionDto(definition),
});

/** How many definitions one deployment has at most. */
const DEPLOYED_MAX = 1_000;

const ofDeployment: Filter = (id, _, __, call) => [
  {
    op: 'in',
    column: 'definitionId',
    values: call.state.range(processDefinitions, 'deployment', [id], DEPLOYED_MAX).map((definition) => definition.id),
  },
];

/** Those that have called it: one at most. */
const callingOf: Filter = (id, _, __, call) => isOneId(call.state.get(processInstances, id)?.calledBy?.instanceId);

const ofIncident: Filter = (id, _, __, call) => isOneId(call.state.get(incidents, id)?.instanceId);

const isOneId = (id: string | null | undefined): readonly Condition[] => [
  { op: 'in', column: 'id', values: id == null ? [] : [id] },
];

/** Running instances, as they are looked for. */
export const instanceList: ListedResource<ProcessInstance> = {
  path: 'process-instance',
  collection: processInstances,
  always: [{ op: 'eq', column: 'active', value: 1 }],
  filters: {
    processInstanceIds: isOneOf('id'),
    businessKey: is('businessKey'),
    businessKeyLike: isLike('businessKey'),
    processDefinitionId: is('definitionId'),
    processDefinitionKey: is('definitionKey'),
    processDefinitionKeyIn: isOneOf('definitionKey'),
    processDefinitionKeyNotIn: isNoneOf('definitionKey'),
    deploymentId: ofDeployment,
    superProcessInstance: is('caller'),
    subProcessInstance: callingOf,
    rootProcessInstances: flag([{ op: 'isNull', column: 'caller' }]),
    active: flag([{ op: 'eq', column: 'suspended', value: 0 }]),
    suspended: flag([{ op: 'eq', column: 'suspended', value: 1 }]),
    withIncident: flag([{ op: 'notNull', column: 'withIncidents' }]),
    incidentId: ofIncident,
    tenantIdIn: nothing,
    withoutTenantId: flag([]),
  },
  variables: { variables: 'process' },
  sorts: { instanceId: 'id', definitionKey: 'definitionKey', definitionId: 'definitionId', businessKey: 'businessKey' },
  sorted: 'startTime',
  dto: (call, instance) => ({
    ...instanceDto(call, swept(instance, call.state.get(processDefinitions, instance.definitionId))),
    links: [],
  }),
};

/** How a path names a definition. */
export type Named = (call: RestCall) => { readonly id: string } | { readonly key: string };
export const namedById: Named = (call) => ({ id: call.param('id') });
export const namedByKey: Named = (call) => ({ key: call.param('key') });

const definitionOf =
  (named: Named) =>
  (call: RestCall): RestAnswer => ({
    json: definitionDto(found(call, named)),
  });

const xmlOf =
  (named: Named) =>
  (call: RestCall): RestAnswer => {
    const { id } = found(call, named);
    return { json: { id, bpmn20Xml: definitionXml(call.state, id) } };
  };

/** Pictures of models are not kept. */
const diagramOf =
  (named: Named) =>
  (call: RestCall): RestAnswer => {
    found(call, named);
    return null;
  };

/** @throws NOT_FOUND */
export function found(call: RestCall, named: Named): ProcessDefinition {
  const name = named(call);
  const definition = findDefinition(call.state, name);
  if (definition !== undefined) return definition;
  throw 'id' in name ? notThere('process definition', name.id) : notThere('process definition', name.key, 'key');
}

function instance(call: RestCall): RestAnswer {
  const seen = seenInstance(call, call.param('id'));
  if (seen.endTime !== null) throw notThere('running process instance', seen.id);
  return { json: { ...instanceDto(call, seen), links: [] } };
}

/** Definitions and running instances, as Camunda's clients look for them. */
export const processLists: readonly RestRoute[] = [
  ...definitions,
  { method: 'GET', path: 'process-definition/key/:key', answer: definitionOf(namedByKey) },
  { method: 'GET', path: 'process-definition/key/:key/xml', answer: xmlOf(namedByKey) },
  { method: 'GET', path: 'process-definition/key/:key/diagram', answer: diagramOf(namedByKey) },
  { method: 'GET', path: 'process-definition/:id', answer: definitionOf(namedById) },
  { method: 'GET', path: 'process-definition/:id/xml', answer: xmlOf(namedById) },
  { method: 'GET', path: 'process-definition/:id/diagram', answer: diagramOf(namedById) },
  ...listRoutes(instanceList),
  { method: 'GET', path: 'process-instance/:id', answer: instance },
];
