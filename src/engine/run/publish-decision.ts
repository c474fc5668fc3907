import type { State } from '../../store/index.js';
import { type DecisionDefinition, type Deployment, decisionDefinitions, decisionModels } from '../collections.js';
import type { DecisionModel } from '../decision/decision-model.js';
import type { Changes } from './changes.js';
import { storeText } from './stored-text.js';

/** Where decisions come and go. */
interface DecisionScene {
  readonly state: State;
  readonly changes: Changes;
}

/** Makes the decisions of a file the latest versions of their keys; gives their ids. */
export function publishDecisions(
  { state, changes }: DecisionScene,
  deployment: Pick<Deployment, 'id' | 'name'>,
  resource: { readonly id: string; readonly name: string },
  model: DecisionModel,
): string[] {
  // The file's own text has pieces by the file's id.
  const modelId = `${resource.id}#model`;
  const text = storeText(changes, modelId, JSON.stringify(model));
  changes.create(decisionModels, { id: modelId, deploymentId: deployment.id, ...text });
  return model.decisions.map((decision) => {
    const [before] = state.range(decisionDefinitions, 'key', [decision.id], 1);
    const version = before?.key === decision.id ? before.version + 1 : 1;
    const [latest] = state.find(decisionDefinitions, 'latest', [1, decision.id]);
    if (latest !== undefined) changes.put(decisionDefinitions, { ...latest, latest: false });
    const id = `${decision.id}:${version}:${state.ids.next()}`;
    changes.create(decisionDefinitions, {
      id,
      key: decision.id,
      version,
      latest: true,
      name: decision.name,
      deploymentId: deployment.id,
      deploymentName: deployment.name,
      resourceName: resource.name,
      modelId,
      requirementsName: model.name,
      versionTag: decision.versionTag,
      historyTimeToLive: decision.historyTimeToLive,
      deleting: false,
    });
    return id;
  });
}

/** How many versions back the one is looked for that becomes the latest again. */
const VERSIONS_BACK_MAX = 100;

/** Nobody sees or uses it any more: the version before is the latest again. */
export function withdrawDecision({ state, changes }: DecisionScene, definition: DecisionDefinition): void {
  changes.put(decisionDefinitions, { ...definition, deleting: true, latest: false });
  if (!definition.latest) return;
  const before = state
    .range(decisionDefinitions, 'key', [definition.key, -definition.version], VERSIONS_BACK_MAX)
    .find((it) => it.key === definition.key && !it.deleting && it.deploymentId !== definition.deploymentId);
  if (before !== undefined) changes.put(decisionDefinitions, { ...before, latest: true });
}
