import type { State } from '../../store/index.js';
import { type Deployment, decisionDefinitions, decisionModels } from '../collections.js';
import { askedOf, type DecisionModel } from '../decision/decision-model.js';
import type { Changes } from './changes.js';
import { storeText } from './stored-text.js';
import { nextVersionOf } from './versions.js';

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
  return askedOf(model).map((decision) => {
    const version = nextVersionOf({ state, changes }, decisionDefinitions, decision.id);
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
