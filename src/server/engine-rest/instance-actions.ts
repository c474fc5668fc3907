import { seenInstance } from './process-dto.js';
import {
  flagIn,
  notThere,
  type RestAnswer,
  type RestCall,
  type RestRoute,
  textIn,
  textsIn,
  unfit,
} from './rest-call.js';
import { modificationInstructions } from './start-instructions.js';
import { type GivenVariable, variableIn, variablesIn } from './variable-value.js';

// What is done with running process instances, as Camunda's clients say it.

/** A running instance, as the path names it. @throws NOT_FOUND */
function running(call: RestCall): string {
  const { id, endTime } = seenInstance(call, call.param('id'));
  if (endTime !== null) throw notThere('running process instance', id);
  return id;
}

async function remove(call: RestCall): Promise<RestAnswer> {
  await call.sendAndSettle(call.services.api.deleteProcessInstance, { id: running(call) });
  return null;
}

async function suspend(call: RestCall): Promise<RestAnswer> {
  const { suspendProcessInstance, activateProcessInstance } = call.services.api;
  const suspended = flagIn(call.json(), 'suspended');
  if (suspended === undefined) throw unfit('suspended', 'true or false', suspended);
  await call.send(suspended ? suspendProcessInstance : activateProcessInstance, { id: running(call) });
  return null;
}

/** Camunda's ProcessInstanceModificationDto. */
async function modify(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  await call.sendAndSettle(call.services.api.modifyProcessInstance, {
    processInstanceId: running(call),
    instructions: modificationInstructions(json),
    skipCustomListeners: flagIn(json, 'skipCustomListeners') ?? false,
    skipIoMappings: flagIn(json, 'skipIoMappings') ?? false,
    annotation: textIn(json, 'annotation') ?? null,
  });
  return null;
}

async function setVariable(call: RestCall): Promise<RestAnswer> {
  const variables = [variableIn(call.param('name'), call.json())];
  const input = { processInstanceId: running(call), variables, mode: 'MERGE' } as const;
  await call.sendAndSettle(call.services.api.setProcessVariables, input);
  return null;
}

async function removeVariable(call: RestCall): Promise<RestAnswer> {
  const removed = [call.param('name')];
  const input = { processInstanceId: running(call), variables: [], removed, mode: 'MERGE' } as const;
  await call.sendAndSettle(call.services.api.setProcessVariables, input);
  return null;
}

async function setOwn(call: RestCall, variables: readonly GivenVariable[], removed: readonly string[]) {
  const executionId = call.param('id');
  const { setExecutionVariables, setProcessVariables } = call.services.api;
  // An instance is an execution to Camunda, too.
  if (executionId.includes(':')) await call.sendAndSettle(setExecutionVariables, { executionId, variables, removed });
  else
    await call.sendAndSettle(setProcessVariables, {
      ...{ processInstanceId: running(call), variables, removed },
      mode: 'MERGE',
    });
  return null;
}

function setOwnVariables(call: RestCall) {
  const json = call.json();
  return setOwn(call, variablesIn(json, 'modifications'), textsIn(json, 'deletions') ?? []);
}

const setOwnVariable = (call: RestCall) => setOwn(call, [variableIn(call.param('name'), call.json())], []);

const removeOwnVariable = (call: RestCall) => setOwn(call, [], [call.param('name')]);

/** Routes that change a process instance: its deletion, suspension, modification and variables. */
export const instanceActions: readonly RestRoute[] = [
  { method: 'DELETE', path: 'process-instance/:id', answer: remove },
  { method: 'PUT', path: 'process-instance/:id/suspended', answer: suspend },
  { method: 'POST', path: 'process-instance/:id/modification', answer: modify },
  { method: 'PUT', path: 'process-instance/:id/variables/:name', answer: setVariable },
  { method: 'DELETE', path: 'process-instance/:id/variables/:name', answer: removeVariable },
  { method: 'POST', path: 'execution/:id/localVariables', answer: setOwnVariables },
  { method: 'PUT', path: 'execution/:id/localVariables/:name', answer: setOwnVariable },
  { method: 'DELETE', path: 'execution/:id/localVariables/:name', answer: removeOwnVariable },
];
