import type { State } from '../../store/index.js';
import {
  definitionModels,
  deployments,
  type ProcessDefinition,
  processDefinitions,
  processInstances,
  resources,
} from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import type { Changes } from '../run/changes.js';
import { eraseInstance } from '../run/erase-instance.js';
import { partitionJob } from '../run/job-operation.js';
import { eraseText } from '../run/stored-text.js';
import type { DeletionInput } from './delete-deployment.js';

/** Instances looked at by one decision: what they hold is read and removed with it. */
const INSTANCES_MAX = 3;
/** Documents that one decision removes, about. */
const DOCUMENTS_MAX = 400;

/** The next part of a deployment that is being deleted: instances first, then models and files, the deployment last. Sent by the job. */
export const deleteDeploymentPart = (services: EngineServices) =>
  partitionJob(services, 'deleteDeploymentPart', ({ state, changes }, job) => {
    const input = job.input as DeletionInput;
    const definitions = state.find(processDefinitions, 'deployment', [input.deploymentId]);
    const empty = !input.cascade || definitions.every((definition) => eraseInstances(state, changes, definition));
    if (!empty || !eraseFiles(state, changes, input.deploymentId, definitions)) {
      changes.job({ id: state.ids.next(), type: 'deletion', dueAt: state.now, immediate: true, input });
    }
    return 'done';
  });

/** Gives whether there was none left. */
function eraseInstances(state: State, changes: Changes, definition: ProcessDefinition): boolean {
  const found = state
    .range(processInstances, 'definition', [definition.id], INSTANCES_MAX)
    .filter((instance) => instance.definitionId === definition.id);
  for (const instance of found) eraseInstance(state, changes, instance);
  return found.length === 0;
}

/** Gives whether all is gone, the deployment too. */
function eraseFiles(
  state: State,
  changes: Changes,
  deploymentId: string,
  definitions: readonly ProcessDefinition[],
): boolean {
  for (const { id } of definitions) {
    if (changes.size > DOCUMENTS_MAX) return false;
    // The history of ended instances is told by their model: it goes with the last of them.
    if (!hasInstances(state, id)) eraseText(state, changes, definitionModels, id);
    changes.remove(processDefinitions, id);
  }
  const deployment = state.get(deployments, deploymentId);
  for (const { id } of deployment?.resources ?? []) {
    if (changes.size > DOCUMENTS_MAX) return false;
    eraseText(state, changes, resources, id);
  }
  changes.remove(deployments, deploymentId);
  return true;
}

const hasInstances = (state: State, definitionId: string) =>
  state.range(processInstances, 'definition', [definitionId], 1)[0]?.definitionId === definitionId;
