import { findDefinition, processInstances } from '../../engine/index.js';
import { badRequest } from '../../shared/errors.js';
import { batchOf } from './batches.js';
import { historicInstances } from './history.js';
import { idsMeant } from './instances-meant.js';
import { instanceList } from './process-lists.js';
import {
  flagIn,
  type Json,
  notThere,
  type RestAnswer,
  type RestCall,
  type RestRoute,
  textIn,
  textsIn,
  unfit,
  wholeIn,
} from './rest-call.js';
import { modificationInstructions } from './start-instructions.js';
import { variablesIn } from './variable-value.js';

// What is done with many things at once, as Camunda's clients order it: within the request, or as a batch.

const skipped = (json: Json) => ({
  skipCustomListeners: flagIn(json, 'skipCustomListeners') ?? false,
  skipIoMappings: flagIn(json, 'skipIoMappings') ?? false,
});

/** Running instances that a request means. */
const runningIn = (call: RestCall, json: Json, isBatch: boolean) =>
  idsMeant(call, json, { field: 'processInstanceQuery', list: instanceList, isBatch });

/** Ended instances that a request means, all of the definition in the path. @throws BAD_REQUEST */
async function endedIn(call: RestCall, json: Json, isBatch: boolean): Promise<readonly string[]> {
  const ids = await idsMeant(call, json, { field: 'historicProcessInstanceQuery', list: historicInstances, isBatch });
  const definitionId = call.param('id');
  const found = ids.map((id) => call.state.get(processInstances, id));
  const other = found.find((instance) => instance !== undefined && instance.definitionId !== definitionId);
  if (other === undefined) return ids;
  throw badRequest(
    `expected process instances of process definition '${definitionId}', but '${other.id}' is of '${other.definitionId}'`,
    { reason: 'argument_invalid' },
  );
}

const modificationIn = (json: Json) => ({
  instructions: modificationInstructions(json),
  ...skipped(json),
  annotation: textIn(json, 'annotation') ?? null,
});

async function modify(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  const modification = modificationIn(json);
  for (const processInstanceId of await runningIn(call, json, false))
    await call.sendAndSettle(call.services.api.modifyProcessInstance, { processInstanceId, ...modification });
  return null;
}

async function modifyAsync(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  const processInstanceIds = await runningIn(call, json, true);
  const input = { processInstanceIds, ...modificationIn(json) };
  return batchOf(call, await call.send(call.services.api.modifyProcessInstances, input));
}

/** Camunda's RestartProcessInstanceDto. @throws NOT_FOUND */
function restartIn(call: RestCall, json: Json) {
  const id = call.param('id');
  if (findDefinition(call.state, { id }) === undefined) throw notThere('process definition', id);
  return {
    instructions: modificationInstructions(json),
    initialVariables: flagIn(json, 'initialVariables') ?? false,
    withoutBusinessKey: flagIn(json, 'withoutBusinessKey') ?? false,
    ...skipped(json),
  };
}

async function restart(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  const how = restartIn(call, json);
  for (const processInstanceId of await endedIn(call, json, false))
    await call.sendAndSettle(call.services.api.restartProcessInstance, { processInstanceId, ...how });
  return null;
}

async function restartAsync(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  const how = restartIn(call, json);
  const processInstanceIds = await endedIn(call, json, true);
  return batchOf(call, await call.send(call.services.api.restartProcessInstances, { processInstanceIds, ...how }));
}

async function setVariablesAsync(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  const input = { processInstanceIds: await runningIn(call, json, true), variables: variablesIn(json, 'variables') };
  return batchOf(call, await call.send(call.services.api.setVariablesAsync, input));
}

function retriesIn(json: Json): number {
  const retries = wholeIn(json, 'retries');
  if (retries === undefined) throw unfit('retries', 'a number', retries);
  return retries;
}

/** Jobs by their ids alone. */
async function setJobRetriesAsync(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  const input = { jobIds: textsIn(json, 'jobIds') ?? [], retries: retriesIn(json) };
  return batchOf(call, await call.send(call.services.api.setJobRetriesAsync, input));
}

const taskIdsIn = (json: Json) => textsIn(json, 'externalTaskIds') ?? [];

async function setTaskRetries(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  const retries = retriesIn(json);
  const ids = taskIdsIn(json);
  if (ids.length === 0) throw unfit('externalTaskIds', 'at least one id', ids);
  for (const taskId of ids) await call.send(call.services.api.setExternalTaskRetries, { taskId, retries });
  return null;
}

async function setTaskRetriesAsync(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  const input = { externalTaskIds: taskIdsIn(json), retries: retriesIn(json) };
  return batchOf(call, await call.send(call.services.api.setExternalTaskRetriesAsync, input));
}

/** Those of the ids. */
async function suspendAll(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  const { suspendProcessInstance, activateProcessInstance } = call.services.api;
  const suspended = flagIn(json, 'suspended');
  if (suspended === undefined) throw unfit('suspended', 'true or false', suspended);
  for (const id of await runningIn(call, json, false))
    await call.send(suspended ? suspendProcessInstance : activateProcessInstance, { id });
  return null;
}

/** Routes that change many process instances, jobs or external tasks at once: modification, restart, variables, suspension, retries. */
export const instanceBatches: readonly RestRoute[] = [
  { method: 'POST', path: 'modification/execute', answer: modify },
  { method: 'POST', path: 'modification/executeAsync', answer: modifyAsync },
  { method: 'POST', path: 'process-definition/:id/restart', answer: restart },
  { method: 'POST', path: 'process-definition/:id/restart-async', answer: restartAsync },
  { method: 'POST', path: 'process-instance/variables-async', answer: setVariablesAsync },
  { method: 'PUT', path: 'process-instance/suspended', answer: suspendAll },
  { method: 'POST', path: 'job/retries', answer: setJobRetriesAsync },
  { method: 'PUT', path: 'external-task/retries', answer: setTaskRetries },
  { method: 'POST', path: 'external-task/retries-async', answer: setTaskRetriesAsync },
];
