import {
  type DecisionDefinition,
  type DecisionInstance,
  decisionDefinitions,
  decisionInstances,
  decisionXml,
  findDecisionDefinition,
  type TypedValue,
} from '../../engine/index.js';
import { flag, is, isDate, isLike, isNumber, isOneOf, listRoutes, nothing } from './list-route.js';
import { named } from './named.js';
import { daysOf } from './process-lists.js';
import { instant, type Json, notThere, type RestAnswer, type RestCall, type RestRoute } from './rest-call.js';
import { variablesIn, variableValues } from './variable-value.js';

// Decisions, and what was decided, as Camunda's clients ask for them.

/** Camunda's DecisionDefinitionDto; requirements are no definitions here. */
export const decisionDto = (definition: DecisionDefinition): Json => ({
  id: definition.id,
  key: definition.key,
  category: null,
  name: definition.name,
  version: definition.version,
  resource: definition.resourceName,
  deploymentId: definition.deploymentId,
  tenantId: null,
  decisionRequirementsDefinitionId: null,
  decisionRequirementsDefinitionKey: null,
  historyTimeToLive: daysOf(definition.historyTimeToLive),
  versionTag: definition.versionTag,
});

const definitions = listRoutes<DecisionDefinition>({
  path: 'decision-definition',
  collection: decisionDefinitions,
  always: [{ op: 'notNull', column: 'key' }],
  filters: {
    decisionDefinitionId: is('id'),
    decisionDefinitionIdIn: isOneOf('id'),
    key: is('key'),
    keyLike: isLike('key'),
    name: is('name'),
    nameLike: isLike('name'),
    version: isNumber('version'),
    latestVersion: flag([{ op: 'eq', column: 'latest', value: 1 }]),
    versionTag: is('versionTag'),
    deploymentId: is('deploymentId'),
    withoutDecisionRequirementsDefinition: flag([]),
    tenantIdIn: nothing,
    withoutTenantId: flag([]),
  },
  sorts: {
    id: 'id',
    key: 'key',
    name: 'name',
    version: 'version',
    deploymentId: 'deploymentId',
    versionTag: 'versionTag',
  },
  sorted: 'key',
  dto: (_, definition) => decisionDto(definition),
});

type Named = (call: RestCall) => { readonly id: string } | { readonly key: string };
const byId: Named = (call) => ({ id: call.param('id') });
const byKey: Named = (call) => ({ key: call.param('key') });

/** @throws NOT_FOUND */
function found(call: RestCall, which: Named): DecisionDefinition {
  const name = which(call);
  const definition = findDecisionDefinition(call.state, name);
  if (definition !== undefined) return definition;
  throw 'id' in name ? notThere('decision definition', name.id) : notThere('decision definition', name.key, 'key');
}

/** The rows of the result, each with its values by name, as Camunda's DmnDecisionResult has them. */
const evaluate = (which: Named) => async (call: RestCall) => {
  const { id } = found(call, which);
  const variables = variablesIn(call.json(), 'variables');
  const evaluation = await call.send(call.services.api.evaluateDecision, { id, variables });
  const rows = call.state.get(decisionInstances, evaluation)?.rows ?? [];
  return { json: rows.map((row) => variableValues(row)) };
};

const xmlOf =
  (which: Named) =>
  (call: RestCall): RestAnswer => {
    const { id } = found(call, which);
    return { json: { id, dmnXml: decisionXml(call.state, id) } };
  };

const routesOf = (path: string, which: Named): readonly RestRoute[] => [
  { method: 'GET', path, answer: (call) => ({ json: decisionDto(found(call, which)) }) },
  { method: 'GET', path: `${path}/xml`, answer: xmlOf(which) },
  {
    method: 'GET',
    path: `${path}/diagram`,
    answer: (call) => {
      found(call, which);
      return null;
    },
  },
  { method: 'POST', path: `${path}/evaluate`, answer: evaluate(which) },
];

const asked = flag([]);

const history = listRoutes<DecisionInstance>({
  path: 'history/decision-instance',
  collection: decisionInstances,
  always: [{ op: 'notNull', column: 'time' }],
  filters: {
    decisionInstanceId: is('id'),
    decisionInstanceIdIn: isOneOf('id'),
    decisionDefinitionId: is('definitionId'),
    decisionDefinitionIdIn: isOneOf('definitionId'),
    decisionDefinitionKey: is('definitionKey'),
    decisionDefinitionKeyIn: isOneOf('definitionKey'),
    processInstanceId: is('instanceId'),
    activityIdIn: isOneOf('activityId'),
    evaluatedBefore: isDate('time', 'le'),
    evaluatedAfter: isDate('time', 'ge'),
    rootDecisionInstancesOnly: asked,
    includeInputs: asked,
    includeOutputs: asked,
    disableBinaryFetching: asked,
    disableCustomObjectDeserialization: asked,
    tenantIdIn: nothing,
    withoutTenantId: asked,
  },
  sorts: { evaluationTime: 'time' },
  sorted: 'time',
  dto: decisionInstanceDto,
});

/** Camunda's HistoricDecisionInstanceDto, of the decision that was asked for. */
function decisionInstanceDto(call: RestCall, evaluation: DecisionInstance): Json {
  const { table } = evaluation.evaluated.find(({ id }) => id === evaluation.definitionKey) ?? {};
  const isAsked = (name: string): boolean => call.query.get(name) === 'true' || call.json()[name] === true;
  const inputs = (table?.inputs ?? []).map(({ id, name, value }) => ({
    ...valueDto(evaluation, value),
    ...{ id: `${evaluation.id}:${id ?? name}`, clauseId: id, clauseName: name },
  }));
  const outputs = (table?.rules ?? []).flatMap((rule) =>
    rule.outputs.map(({ id, name, value }) => ({
      ...valueDto(evaluation, value),
      id: `${evaluation.id}:${rule.number}:${id ?? name}`,
      ...{ clauseId: id, clauseName: name, ruleId: rule.id, ruleOrder: rule.number, variableName: name },
    })),
  );
  return {
    id: evaluation.id,
    decisionDefinitionId: evaluation.definitionId,
    decisionDefinitionKey: evaluation.definitionKey,
    decisionDefinitionName: evaluation.definitionName,
    evaluationTime: instant(evaluation.time),
    processDefinitionId: evaluation.processDefinitionId,
    processDefinitionKey: evaluation.processDefinitionId?.split(':')[0] ?? null,
    processInstanceId: evaluation.instanceId,
    activityId: evaluation.activityId,
    activityInstanceId: evaluation.activityInstanceId,
    userId: evaluation.userId,
    inputs: isAsked('includeInputs') ? inputs : null,
    outputs: isAsked('includeOutputs') ? outputs : null,
    collectResultValue: table?.aggregated?.value ?? null,
    ...{ caseDefinitionId: null, caseDefinitionKey: null, caseInstanceId: null },
    ...{ removalTime: null, rootDecisionInstanceId: null, rootProcessInstanceId: null, tenantId: null },
    ...{ decisionRequirementsDefinitionId: null, decisionRequirementsDefinitionKey: null },
  };
}

const valueDto = ({ id: decisionInstanceId, time, instanceId }: DecisionInstance, value: TypedValue): Json => ({
  ...(variableValues({ value }).value as Json),
  ...{ decisionInstanceId, errorMessage: null, createTime: instant(time) },
  ...{ removalTime: null, rootProcessInstanceId: instanceId },
});

/** Routes of decision definitions, their evaluation and their history. */
export const decisionRoutes: readonly RestRoute[] = [
  ...definitions,
  ...routesOf('decision-definition/key/:key', byKey),
  ...routesOf('decision-definition/:id', byId),
  ...history,
  {
    method: 'GET',
    path: 'history/decision-instance/:id',
    answer: (call) => ({ json: decisionInstanceDto(call, named(call, decisionInstances, 'decision instance')) }),
  },
];
