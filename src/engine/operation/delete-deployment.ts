import { ServiceError } from '../../shared/errors.js';
import { operation, type State } from '../../store/index.js';
import {
  decisionDefinitions,
  decisionModels,
  definitionModels,
  deployments,
  formDefinitions,
  type ProcessDefinition,
  processDefinitions,
  processInstances,
  resources,
} from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { deploymentNotFound } from '../errors.js';
import { deploymentEvent } from '../events.js';
import type { Program } from '../model/program.js';
import { requireDeployer, requireSupervisor } from '../rule/rights.js';
import type { Changes } from '../run/changes.js';
import { sceneOf } from '../run/instance-operation.js';
import { partitionJob } from '../run/job-operation.js';
import { erasePrograms, isNamed } from '../run/kept-programs.js';
import { jobNow } from '../run/new-job.js';
import { disarmStartEvents, reinstate, requireOwnMessages } from '../run/publish-definition.js';
import { eraseText } from '../run/stored-text.js';
import type { RunScene } from '../run/told-context.js';
import { withdrawVersion } from '../run/versions.js';
import { eraseInstance } from './clean-history.js';

/** Input of `deleteDeployment`. */
interface DeleteDeployment {
  readonly id: string;
  /** Whether its instances go too, running or ended, with their history. Default false. */
  readonly cascade?: boolean | null;
}

/** Input of the job of a deletion. */
interface DeletionInput {
  readonly deploymentId: string;
  readonly cascade: boolean;
}

/** How many versions back the one is looked for that becomes the latest again. */
const VERSIONS_BACK_MAX = 100;

/**
 * Deletes a deployment with its definitions: at once nobody sees or starts them, and the version before is the latest again; a job then
 * removes the documents, at most 500 in a commit. Answers true. Allowed to deployers, and with cascade to supervisors and administrators alone.
 * @throws NOT_FOUND, FORBIDDEN, CONFLICT (instances run, without cascade)
 */
export const deleteDeployment = (services: EngineServices) =>
  operation<DeleteDeployment, boolean>('deleteDeployment', (state, { id, cascade: asked }, context) => {
    const cascade = asked ?? false;
    if (cascade) requireSupervisor(context.caller, 'delete deployments with their instances');
    else requireDeployer(context.caller, 'delete deployments');
    const deployment = state.get(deployments, id);
    if (deployment === undefined || deployment.deleting) throw deploymentNotFound(id);
    const definitions = state.find(processDefinitions, 'deployment', [id]);
    if (!cascade) for (const definition of definitions) requireNoInstance(state, definition);
    const scene = sceneOf(services, state, context);
    requireOwnMessages(
      scene,
      definitions.flatMap((definition) => withdraw(scene, definition) ?? []),
    );
    for (const it of state.find(decisionDefinitions, 'deployment', [id]))
      withdrawVersion(scene, decisionDefinitions, it);
    for (const it of state.find(formDefinitions, 'deployment', [id])) withdrawVersion(scene, formDefinitions, it);
    scene.changes.put(deployments, { ...deployment, deleting: true });
    scene.changes.event(deploymentEvent('deleted', deployment, state.now));
    const input: DeletionInput = { deploymentId: id, cascade };
    scene.changes.job({ ...jobNow(state), type: 'deletion', input });
    return scene.changes.decision(true);
  });

function requireNoInstance(state: State, definition: ProcessDefinition): void {
  const [running] = state.range(processInstances, 'running', [definition.id], 1);
  if (running?.definitionId !== definition.id || running.endTime !== null) return;
  throw new ServiceError(
    'CONFLICT',
    `expected no running instance of process definition '${definition.id}', but found '${running.id}'; cascade deletes it too`,
    { reason: 'instances_running', resourceId: definition.id },
  );
}

/** Gives the program of the version before it, which counts again; undefined: there is none. */
function withdraw(scene: RunScene, definition: ProcessDefinition): Program | undefined {
  const { state, changes, services } = scene;
  disarmStartEvents(scene, definition);
  const gone = { ...definition, deleting: true, suspended: true, latest: false, timerJobIds: [] };
  changes.put(processDefinitions, gone);
  if (!definition.latest) return undefined;
  const before = state
    .range(processDefinitions, 'key', [definition.key, -definition.version], VERSIONS_BACK_MAX)
    .find((it) => it.key === definition.key && !it.deleting && it.deploymentId !== definition.deploymentId);
  if (before === undefined) return undefined;
  const program = services.programs.of(state, before.id);
  reinstate(scene, before, program);
  return program;
}

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
      changes.job({ ...jobNow(state), type: 'deletion', input });
    }
    return 'done';
  });

/** Gives whether there was none left. */
function eraseInstances(state: State, changes: Changes, definition: ProcessDefinition): boolean {
  const found = state
    .range(processInstances, 'definition', [definition.id], INSTANCES_MAX)
    .filter((instance) => instance.definitionId === definition.id);
  const gone = found.filter((instance) => eraseInstance(state, changes, instance));
  erasePrograms(state, changes, gone);
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
    // The history of instances is told by their model: it goes with the last of them.
    if (!isNamed(state, id)) eraseText(state, changes, definitionModels, id);
    changes.remove(processDefinitions, id);
  }
  if (!eraseDecisions(state, changes, deploymentId)) return false;
  for (const { id } of state.find(formDefinitions, 'deployment', [deploymentId])) changes.remove(formDefinitions, id);
  const deployment = state.get(deployments, deploymentId);
  for (const { id } of deployment?.resources ?? []) {
    if (changes.size > DOCUMENTS_MAX) return false;
    eraseText(state, changes, resources, id);
  }
  changes.remove(deployments, deploymentId);
  return true;
}

/** Gives whether there was room for all. */
function eraseDecisions(state: State, changes: Changes, deploymentId: string): boolean {
  for (const { id, modelId } of state.find(decisionDefinitions, 'deployment', [deploymentId])) {
    if (changes.size > DOCUMENTS_MAX) return false;
    changes.remove(decisionDefinitions, id);
    if (changes.current(state, decisionModels, modelId) !== undefined)
      eraseText(state, changes, decisionModels, modelId);
  }
  return true;
}
