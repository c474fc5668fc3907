import {
  type ExternalTask,
  externalTaskProperties,
  type FetchedTopic,
  presentInstance,
  tokenVariables,
  type Variables,
} from '../../engine/index.js';
import { badRequest } from '../../shared/errors.js';
import {
  flagIn,
  instant,
  type Json,
  objectIn,
  objectsIn,
  type RestCall,
  type RestRoute,
  textIn,
  textsIn,
  unfit,
  wholeIn,
} from './rest-call.js';
import { externalTaskDto } from './task-lists.js';
import { variablesIn, variableValues } from './variable-value.js';

const WAIT_MAX = 1_800_000;
const FETCHED_MAX = 500;

/** A topic, and how its tasks are shown. */
interface AskedTopic {
  readonly topic: FetchedTopic;
  readonly variables: readonly string[] | undefined;
  readonly localVariables: boolean;
  readonly deserializeValues: boolean;
  readonly extensionProperties: boolean;
  /** It asks for tenants, of which there are none. */
  readonly isNobodys: boolean;
}

async function fetchAndLock(call: RestCall) {
  const json = call.json();
  const waitMs = wholeIn(json, 'asyncResponseTimeout') ?? 0;
  if (waitMs > WAIT_MAX)
    throw badRequest(
      `The asynchronous response timeout cannot be set to a value greater than ${WAIT_MAX} milliseconds`,
      { reason: 'argument_invalid' },
    );
  const maxTasks = wholeIn(json, 'maxTasks') ?? 0;
  if (maxTasks < 0) throw unfit('maxTasks', 'a number from 0', maxTasks);
  const asked = topicsIn(json);
  const topics = asked.filter(({ isNobodys }) => !isNobodys).map(({ topic }) => topic);
  if (maxTasks === 0 || topics.length === 0) return { json: [] };
  const worker = { partition: call.partition, caller: call.caller, waitMs: Math.max(0, waitMs), signal: call.signal };
  const { tasks } = await call.services.workers.fetch(worker, {
    workerId: textIn(json, 'workerId') ?? '',
    maxTasks: Math.min(FETCHED_MAX, maxTasks),
    usePriority: flagIn(json, 'usePriority') ?? false,
    newestFirst: isNewestFirst(json),
    topics,
  });
  const byName = new Map(asked.map((one) => [one.topic.topicName, one]));
  return { json: tasks.map((task) => lockedTask(call, task, byName.get(task.topic))) };
}

/** @throws BAD_REQUEST */
function isNewestFirst(json: Json): boolean {
  const orders = objectsIn(json, 'sorting') ?? [];
  for (const order of orders) {
    if (order.sortBy !== 'createTime') throw unfit('sorting.sortBy', "'createTime'", order.sortBy);
    if (order.sortOrder !== 'asc' && order.sortOrder !== 'desc')
      throw unfit('sorting.sortOrder', "'asc' or 'desc'", order.sortOrder);
  }
  return orders[0]?.sortOrder === 'desc';
}

const topicsIn = (json: Json): AskedTopic[] => (objectsIn(json, 'topics') ?? []).map(topicIn);

const topicIn = (json: Json): AskedTopic => ({
  topic: {
    topicName: textIn(json, 'topicName') ?? '',
    lockDurationMs: wholeIn(json, 'lockDuration') ?? 0,
    businessKey: textIn(json, 'businessKey') ?? null,
    definitionIds: namesIn(json, 'processDefinitionId', 'processDefinitionIdIn'),
    definitionKeys: namesIn(json, 'processDefinitionKey', 'processDefinitionKeyIn'),
    versionTag: textIn(json, 'processDefinitionVersionTag') ?? null,
    seen: objectIn(json, 'processVariables') ?? null,
  },
  variables: textsIn(json, 'variables'),
  localVariables: flagIn(json, 'localVariables') ?? false,
  deserializeValues: flagIn(json, 'deserializeValues') ?? false,
  extensionProperties: flagIn(json, 'includeExtensionProperties') ?? false,
  isNobodys: (textsIn(json, 'tenantIdIn') ?? []).length > 0,
});

/** One name, or several, or what is both, which may be nothing; null: any. */
function namesIn(json: Json, one: string, several: string): readonly string[] | null {
  const name = textIn(json, one);
  const names = textsIn(json, several) ?? [];
  if (name === undefined) return names.length > 0 ? names : null;
  return names.length === 0 || names.includes(name) ? [name] : [];
}

/** Camunda's LockedExternalTaskDto. */
function lockedTask(call: RestCall, task: ExternalTask, asked: AskedTopic | undefined): Json {
  const { state, services } = call;
  return {
    ...externalTaskDto(call, task),
    errorDetails: task.errorDetails,
    createTime: instant(task.created),
    variables: variableValues(shown(call, task, asked), asked?.deserializeValues),
    extensionProperties: asked?.extensionProperties ? externalTaskProperties(services.programs, state, task) : {},
  };
}

function shown(
  { state }: RestCall,
  { instanceId, tokenId, within }: ExternalTask,
  asked: AskedTopic | undefined,
): Variables {
  const instance = presentInstance(state, instanceId);
  if (instance === undefined) return {};
  const { visible, local } = tokenVariables(state, instance, { tokenId, within });
  const all = asked?.localVariables ? local : visible;
  const { variables } = asked ?? {};
  if (variables === undefined) return all;
  return Object.fromEntries(
    variables.flatMap((name) => {
      const variable = Object.hasOwn(all, name) ? all[name] : undefined;
      return variable === undefined ? [] : [[name, variable]];
    }),
  );
}

/** A task of the path, and the worker of the body. */
const heldIn = (call: RestCall, json: Json) => ({ taskId: call.param('id'), workerId: textIn(json, 'workerId') ?? '' });

async function complete(call: RestCall) {
  const json = call.json();
  const variables = variablesIn(json, 'variables');
  const localVariables = variablesIn(json, 'localVariables');
  const input = { ...heldIn(call, json), variables, localVariables };
  await call.sendAndSettle(call.services.api.completeExternalTask, input);
  return null;
}

async function failure(call: RestCall) {
  const json = call.json();
  await call.sendAndSettle(call.services.api.failExternalTask, {
    ...heldIn(call, json),
    retries: wholeIn(json, 'retries') ?? 0,
    retryAfterMs: wholeIn(json, 'retryTimeout') ?? 0,
    errorMessage: textIn(json, 'errorMessage') ?? null,
    errorDetails: textIn(json, 'errorDetails') ?? null,
    variables: variablesIn(json, 'variables'),
    localVariables: variablesIn(json, 'localVariables'),
    now: call.services.workers.now(),
  });
  return null;
}

async function bpmnError(call: RestCall) {
  const json = call.json();
  await call.sendAndSettle(call.services.api.externalTaskBpmnError, {
    ...heldIn(call, json),
    errorCode: textIn(json, 'errorCode') ?? '',
    errorMessage: textIn(json, 'errorMessage') ?? null,
    variables: variablesIn(json, 'variables'),
  });
  return null;
}

async function lock(call: RestCall) {
  const json = call.json();
  const lockDurationMs = wholeIn(json, 'lockDuration') ?? 0;
  const now = call.services.workers.now();
  await call.send(call.services.api.lockExternalTask, { ...heldIn(call, json), lockDurationMs, now });
  return null;
}

async function extendLock(call: RestCall) {
  const json = call.json();
  const lockDurationMs = wholeIn(json, 'newDuration') ?? 0;
  const now = call.services.workers.now();
  await call.send(call.services.api.extendExternalTaskLock, { ...heldIn(call, json), lockDurationMs, now });
  return null;
}

async function unlock(call: RestCall) {
  await call.send(call.services.api.unlockExternalTask, { taskId: call.param('id') });
  return null;
}

/** Routes of the external task client: workers fetch, lock and complete by them. */
export const externalTaskRoutes: readonly RestRoute[] = [
  { method: 'POST', path: 'external-task/fetchAndLock', answer: fetchAndLock },
  { method: 'POST', path: 'external-task/:id/complete', answer: complete },
  { method: 'POST', path: 'external-task/:id/failure', answer: failure },
  { method: 'POST', path: 'external-task/:id/bpmnError', answer: bpmnError },
  { method: 'POST', path: 'external-task/:id/lock', answer: lock },
  { method: 'POST', path: 'external-task/:id/extendLock', answer: extendLock },
  { method: 'POST', path: 'external-task/:id/unlock', answer: unlock },
];
