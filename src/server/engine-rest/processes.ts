import {
  type ProcessInstance,
  placeOfToken,
  presentInstance,
  processInstances,
  processVariables,
  type TypedValue,
  tokenVariables,
  type Variables,
} from '../../engine/index.js';
import { badRequest, ServiceError } from '../../shared/errors.js';
import { mayWork } from '../../shared/rights/processes.js';
import {
  flagIn,
  type Json,
  notThere,
  type RestAnswer,
  type RestCall,
  type RestRoute,
  textIn,
  textsIn,
} from './rest-call.js';
import { startInstructions } from './start-instructions.js';
import { variablesIn, variableValues } from './variable-value.js';

const startOf =
  (named: (call: RestCall) => { readonly definitionId: string } | { readonly definitionKey: string }) =>
  async (call: RestCall): Promise<RestAnswer> => {
    const json = call.json();
    const id = await call.sendAndSettle(call.services.api.startProcess, {
      ...named(call),
      businessKey: textIn(json, 'businessKey') ?? null,
      variables: variablesIn(json, 'variables'),
      instructions: startInstructions(json),
      skipCustomListeners: flagIn(json, 'skipCustomListeners') ?? false,
      skipIoMappings: flagIn(json, 'skipIoMappings') ?? false,
    });
    const { state } = call;
    const instance = presentInstance(state, id);
    if (instance === undefined) throw notThere('process instance', id);
    const variables = flagIn(json, 'withVariablesInReturn') ? processVariables(state, instance) : undefined;
    return { json: { ...instanceDto(call, instance), ...(variables && { variables: variableValues(variables) }) } };
  };

/** Camunda's ProcessInstanceDto. */
export function instanceDto({ services, partition }: RestCall, instance: ProcessInstance): Json {
  const href = `${services.baseUrl(partition.workspace)}/process-instance/${instance.id}`;
  return {
    links: [{ method: 'GET', href, rel: 'self' }],
    id: instance.id,
    definitionId: instance.definitionId,
    definitionKey: instance.definitionKey,
    businessKey: instance.businessKey,
    caseInstanceId: null,
    ended: instance.endTime !== null,
    suspended: instance.actor.value === 'suspended',
    tenantId: null,
  };
}

async function setVariables(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  await call.sendAndSettle(call.services.api.setProcessVariables, {
    processInstanceId: call.param('id'),
    variables: variablesIn(json, 'modifications'),
    removed: textsIn(json, 'deletions') ?? [],
    mode: 'MERGE',
  });
  return null;
}

/** The instance, which the caller sees: as such, or as a worker. @throws NOT_FOUND */
function seenInstance({ state, caller }: RestCall, id: string): ProcessInstance {
  const instance = presentInstance(state, id);
  const isSeen = instance !== undefined && (mayWork(caller) || (processInstances.visible?.(caller, instance) ?? true));
  if (isSeen) return instance;
  throw notThere('process instance', id);
}

/** Of an execution, `<instance>:<token>`, or of an instance: Camunda's clients ask for either at both places. */
function variableData(call: RestCall): RestAnswer {
  const [instanceId = '', token] = call.param('id').split(':');
  const instance = seenInstance(call, instanceId);
  const variables =
    token === undefined
      ? processVariables(call.state, instance)
      : tokenVariables(call.state, instance, placeOfToken(call.state, instance, Number(token))).visible;
  return dataOf(variables, call.param('name'));
}

/** The bytes of a variable. It is given to be kept, never to be shown: what a worker has stored is no page of this server. */
function dataOf(variables: Variables, name: string): RestAnswer {
  const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (variable === undefined) throw notThere('variable', name);
  const { info } = variable;
  if (info?.type !== 'File' && info?.type !== 'Bytes')
    throw badRequest(`expected variable '${name}' to be a File or Bytes, but it is ${info?.type ?? variable.type}`, {
      reason: 'variable_not_binary',
    });
  const filename = encodeURIComponent(info.filename ?? name);
  return {
    bytes: Buffer.from(String(variable.value), 'base64'),
    headers: {
      'Content-Type': mediaTypeOf(info),
      'Content-Disposition': `attachment; filename*=UTF-8''${filename}`,
      'Content-Security-Policy': 'sandbox',
    },
  };
}

function mediaTypeOf({ mimeType, encoding }: NonNullable<TypedValue['info']>): string {
  if (mimeType === undefined || !/^[\w.+-]+\/[\w.+-]+$/.test(mimeType)) return 'application/octet-stream';
  return encoding !== undefined && /^[\w.:-]+$/.test(encoding) ? `${mimeType}; charset=${encoding}` : mimeType;
}

async function completeTask(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  const variables = variablesIn(json, 'variables');
  const task = await call.sendAndSettle(call.services.api.completeTask, { taskId: call.param('id'), variables });
  if (!flagIn(json, 'withVariablesInReturn')) return null;
  const instance = presentInstance(call.state, task.instanceId);
  return { json: instance === undefined ? {} : variableValues(processVariables(call.state, instance)) };
}

/** Processes, as workers and Camunda Modeler use them. */
export const processRoutes: readonly RestRoute[] = [
  {
    method: 'POST',
    path: 'process-definition/key/:key/start',
    answer: startOf((call) => ({ definitionKey: call.param('key') })),
  },
  {
    method: 'POST',
    path: 'process-definition/key/:key/tenant-id/:tenant/start',
    answer: (call) => {
      const [key, tenant] = [call.param('key'), call.param('tenant')];
      throw new ServiceError('NOT_FOUND', `No matching process definition with key: ${key} and tenant-id: ${tenant}`);
    },
  },
  {
    method: 'POST',
    path: 'process-definition/:id/start',
    answer: startOf((call) => ({ definitionId: call.param('id') })),
  },
  { method: 'POST', path: 'process-instance/:id/variables', answer: setVariables },
  { method: 'GET', path: 'process-instance/:id/variables/:name/data', answer: variableData },
  { method: 'GET', path: 'execution/:id/localVariables/:name/data', answer: variableData },
  { method: 'POST', path: 'task/:id/complete', answer: completeTask },
];
