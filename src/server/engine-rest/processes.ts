import {
  placeOfToken,
  presentInstance,
  processVariables,
  type TypedValue,
  tokenVariables,
  type Variables,
} from '../../engine/index.js';
import { badRequest, ServiceError } from '../../shared/errors.js';
import { instanceDto, seenInstance } from './process-dto.js';
import { flagIn, notThere, type RestAnswer, type RestCall, type RestRoute, textIn, textsIn } from './rest-call.js';
import { startInstructions } from './start-instructions.js';
import { isDeserialized, variablesIn, variableValues } from './variable-value.js';

/** The definition that is started, and whether its form was filled in. */
type Started = ({ readonly definitionId: string } | { readonly definitionKey: string }) & { readonly form?: true };

/** Starts an instance as the body says. */
export async function startedBy(call: RestCall, started: Started): Promise<RestAnswer> {
  const json = call.json();
  const id = await call.sendAndSettle(call.services.api.startProcess, {
    ...started,
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

/**
 * Variables of an execution, `<instance>:<token>`, or of an instance: Camunda's clients ask for either at both places. `local`: those of the execution itself, of an
 * instance those of the process.
 */
function variablesOf(call: RestCall, of: 'visible' | 'local'): Variables {
  const [instanceId = '', token] = call.param('id').split(':');
  const instance = seenInstance(call, instanceId);
  return token === undefined
    ? processVariables(call.state, instance)
    : tokenVariables(call.state, instance, placeOfToken(call.state, instance, Number(token)))[of];
}

const variable = (call: RestCall): RestAnswer => variableAmong(call, variablesOf(call, 'visible'));
const localVariable = (call: RestCall): RestAnswer => variableAmong(call, variablesOf(call, 'local'));

function variableAmong(call: RestCall, variables: Variables): RestAnswer {
  const name = call.param('name');
  const { [name]: shown } = variableValues(variables, isDeserialized(call));
  if (shown === undefined) throw notThere('variable', name);
  return { json: shown };
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
  if (variable.value === null) return null;
  const filename = encodeURIComponent(info.filename ?? name);
  // For clients that read no other: without what would end it, or is no ASCII.
  const plain = (info.filename ?? name).replace(/[^ -~]|["\\]/g, '_');
  return {
    bytes: Buffer.from(String(variable.value), 'base64'),
    headers: {
      'Content-Type': mediaTypeOf(info),
      'Content-Disposition': `attachment; filename="${plain}"; filename*=UTF-8''${filename}`,
      'Content-Security-Policy': 'sandbox',
    },
  };
}

function mediaTypeOf({ mimeType, encoding }: NonNullable<TypedValue['info']>): string {
  if (mimeType === undefined || !/^[\w.+-]+\/[\w.+-]+$/.test(mimeType)) return 'application/octet-stream';
  return encoding !== undefined && /^[\w.:-]+$/.test(encoding) ? `${mimeType}; charset=${encoding}` : mimeType;
}

const variableData = (call: RestCall): RestAnswer => dataOf(variablesOf(call, 'visible'), call.param('name'));

/** Processes, as workers and Camunda Modeler use them. */
export const processRoutes: readonly RestRoute[] = [
  {
    method: 'POST',
    path: 'process-definition/key/:key/start',
    answer: (call) => startedBy(call, { definitionKey: call.param('key') }),
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
    answer: (call) => startedBy(call, { definitionId: call.param('id') }),
  },
  { method: 'POST', path: 'process-instance/:id/variables', answer: setVariables },
  { method: 'GET', path: 'process-instance/:id/variables/:name/data', answer: variableData },
  { method: 'GET', path: 'process-instance/:id/variables/:name', answer: variable },
  {
    method: 'GET',
    path: 'process-instance/:id/variables',
    answer: (call) => ({ json: variableValues(variablesOf(call, 'visible'), isDeserialized(call)) }),
  },
  { method: 'GET', path: 'execution/:id/localVariables/:name/data', answer: variableData },
  { method: 'GET', path: 'execution/:id/localVariables/:name', answer: localVariable },
  {
    method: 'GET',
    path: 'execution/:id/localVariables',
    answer: (call) => ({ json: variableValues(variablesOf(call, 'local'), isDeserialized(call)) }),
  },
];
