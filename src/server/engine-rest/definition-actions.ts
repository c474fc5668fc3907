import { type ProcessDefinition, processDefinitions } from '../../engine/index.js';
import { found, type Named, namedById, namedByKey } from './process-lists.js';
import { flagIn, notThere, type RestAnswer, type RestCall, type RestRoute, textIn, unfit } from './rest-call.js';

// What is done with process definitions, as Camunda's clients say it.

/** Versions of one key. */
const VERSIONS_MAX = 1_000;

/** Camunda's ProcessDefinitionSuspensionStateDto. */
async function suspend(call: RestCall, definitions: readonly ProcessDefinition[]): Promise<RestAnswer> {
  const json = call.json();
  const suspended = flagIn(json, 'suspended');
  if (suspended === undefined) throw unfit('suspended', 'true or false', suspended);
  if (textIn(json, 'executionDate') !== undefined)
    throw unfit('executionDate', 'nothing, for it is done at once', json.executionDate);
  const { suspendProcessDefinition, activateProcessDefinition } = call.services.api;
  const includeInstances = flagIn(json, 'includeProcessInstances') ?? false;
  for (const { id } of definitions)
    await call.send(suspended ? suspendProcessDefinition : activateProcessDefinition, { id, includeInstances });
  return null;
}

const suspendOne = (which: Named) => (call: RestCall) => suspend(call, [found(call, which)]);

/** All versions of a key. @throws NOT_FOUND */
function suspendKey(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  const [key, id] = [textIn(json, 'processDefinitionKey'), textIn(json, 'processDefinitionId')];
  if (id !== undefined) return suspend(call, [found(call, () => ({ id }))]);
  if (key === undefined) throw unfit('processDefinitionKey', 'the key of a process definition', key);
  const versions = call.state.find(processDefinitions, 'key', [key], { limit: VERSIONS_MAX });
  const shown = versions.filter(({ deleting }) => !deleting);
  if (shown.length === 0) throw notThere('process definition', key, 'key');
  return suspend(call, shown);
}

/** Routes that suspend and activate process definitions. */
export const definitionActions: readonly RestRoute[] = [
  { method: 'PUT', path: 'process-definition/suspended', answer: suspendKey },
  { method: 'PUT', path: 'process-definition/key/:key/suspended', answer: suspendOne(namedByKey) },
  { method: 'PUT', path: 'process-definition/:id/suspended', answer: suspendOne(namedById) },
];
