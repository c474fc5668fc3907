import { type CorrelatedReceiver, presentInstance, processVariables } from '../../engine/index.js';
import { badRequest } from '../../shared/errors.js';
import { instanceDto } from './process-dto.js';
import {
  flagIn,
  type Json,
  notThere,
  type RestAnswer,
  type RestCall,
  type RestRoute,
  textIn,
  unfit,
} from './rest-call.js';
import { type GivenVariable, variablesIn, variableValues } from './variable-value.js';

/** Camunda's CorrelationMessageDto. */
async function message(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  const messageName = textIn(json, 'messageName');
  if (messageName === undefined) throw badRequest('No message name supplied', { reason: 'argument_missing' });
  const [isTold, withVariables] = [flagIn(json, 'resultEnabled'), flagIn(json, 'variablesInResultEnabled')];
  if (withVariables && !isTold) throw notAlone('variablesInResultEnabled', "'resultEnabled' set to true");
  requireNoTenant(json, messageName);
  const all = flagIn(json, 'all') ?? false;
  const { receivers } = await call.sendAndSettle(call.services.api.correlateMessages, {
    messageName,
    businessKey: textIn(json, 'businessKey') ?? null,
    processInstanceId: textIn(json, 'processInstanceId') ?? null,
    correlationKeys: keysIn(json, 'correlationKeys'),
    localCorrelationKeys: keysIn(json, 'localCorrelationKeys'),
    variables: variablesIn(json, 'processVariables'),
    localVariables: variablesIn(json, 'processVariablesLocal'),
    scopeVariables: variablesIn(json, 'processVariablesToTriggeredScope'),
    all,
  });
  return isTold ? { json: receivers.map((each) => resultDto(call, each, withVariables ?? false)) } : null;
}

/** Workspaces play the part of tenants: no process and no instance is of one. @throws BAD_REQUEST */
function requireNoTenant(json: Json, messageName: string): void {
  const tenant = textIn(json, 'tenantId');
  if (tenant === undefined) return;
  if (flagIn(json, 'withoutTenantId'))
    throw badRequest("Parameter 'tenantId' cannot be used together with parameter 'withoutTenantId'.", {
      reason: 'argument_invalid',
    });
  throw badRequest(`expected a receiver of message '${messageName}' of tenant '${tenant}', but there are no tenants`, {
    reason: 'message_not_correlated',
    resourceId: messageName,
  });
}

const notAlone = (name: string, needed: string) =>
  badRequest(`Parameter '${name}' cannot be used without ${needed}.`, { reason: 'argument_invalid' });

/** The keys with their types, as Camunda compares them: those of a plain value too. @throws BAD_REQUEST */
function keysIn(json: Json, field: string): Json {
  return Object.fromEntries(variablesIn(json, field).map((given) => [given.name, keyOf(field, given)]));
}

const INTEGER_LIMIT = 2 ** 31;

function keyOf(field: string, { name, type, value }: GivenVariable): Json {
  if (type !== null) return { type, value };
  if (typeof value === 'object' && value !== null) throw unfit(`${field}.${name}`, 'no object', value);
  if (typeof value !== 'number') return { type: null, value };
  const isInteger = Number.isInteger(value) && value < INTEGER_LIMIT && value >= -INTEGER_LIMIT;
  const ofNumber = Number.isInteger(value) ? 'Long' : 'Double';
  return { type: isInteger ? 'Integer' : ofNumber, value };
}

/** Camunda's MessageCorrelationResultWithVariableDto. @throws NOT_FOUND */
function resultDto(call: RestCall, receiver: CorrelatedReceiver, withVariables: boolean): Json {
  const { instanceId, isStarted, executionId } = receiver;
  const instance = presentInstance(call.state, instanceId);
  if (instance === undefined) throw notThere('process instance', instanceId);
  const { ended } = instanceDto(call, instance);
  const execution = { id: executionId, processInstanceId: instanceId, ended, tenantId: null };
  return {
    resultType: isStarted ? 'ProcessDefinition' : 'Execution',
    execution: isStarted ? null : execution,
    processInstance: isStarted ? instanceDto(call, instance) : null,
    ...(withVariables && { variables: variableValues(processVariables(call.state, instance)) }),
  };
}

/** Camunda's EvaluationConditionDto: processes begin by their conditions. */
async function condition(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  for (const name of ['processDefinitionId', 'tenantId'])
    if (textIn(json, name) !== undefined) throw unfit(name, 'nothing', json[name]);
  const started = await call.sendAndSettle(call.services.api.evaluateConditions, {
    businessKey: textIn(json, 'businessKey') ?? null,
    variables: variablesIn(json, 'variables'),
  });
  return {
    json: started.flatMap((id) => {
      const instance = presentInstance(call.state, id);
      return instance === undefined ? [] : [instanceDto(call, instance)];
    }),
  };
}

/** Messages and conditions, as Camunda's clients send them. */
export const messageRoutes: readonly RestRoute[] = [
  { method: 'POST', path: 'message', answer: message },
  { method: 'POST', path: 'condition', answer: condition },
];
