import { weigh } from '../../expression/index.js';
import { ServiceError } from '../../shared/errors.js';
import { nearest } from '../../shared/nearest.js';
import type { State } from '../../store/index.js';
import { type DecisionDefinition, decisionDefinitions, processDefinitions } from '../collections.js';
import type { DecisionModel } from '../decision/decision-model.js';
import { evaluateDecision } from '../decision/evaluate-decision.js';
import { TooLong } from '../decision/evaluation.js';
import type { DecisionOutcome, DecisionQuestion } from '../decision/outcome.js';
import type { DecisionRequest } from '../element/instance-state.js';
import type { EngineServices } from '../engine-services.js';

/** Steps of an evaluation in line: some ten milliseconds. What takes more is evaluated in a thread that can be ended. */
const STEPS_INLINE_MAX = 10_000;
/** Values that a decision in line may look at. */
const WEIGHT_INLINE_MAX = 1_000;

/** Files whose decisions took long: they are not tried in line again. */
const longModels = new WeakSet<DecisionModel>();

/** A decision in line; undefined: it takes long, and is asked for. @throws EXECUTION_FAILED */
export function decide(
  services: Pick<EngineServices, 'decisions'>,
  state: Pick<State, 'get'>,
  { key: decisionId, modelId }: DecisionDefinition,
  question: Omit<DecisionQuestion, 'decisionId'>,
): DecisionOutcome | undefined {
  const model = services.decisions.of(state, modelId);
  if (longModels.has(model) || weigh(question.variables, WEIGHT_INLINE_MAX) >= WEIGHT_INLINE_MAX) return undefined;
  try {
    return evaluateDecision(model, { decisionId, ...question }, { stepsMax: STEPS_INLINE_MAX });
  } catch (thrown) {
    if (!(thrown instanceof TooLong)) throw thrown;
    if (!thrown.onlyNow) longModels.add(model);
    return undefined;
  }
}

/** Seed of the chance in an evaluation, where there is any in the file. */
export const chanceIn = (
  services: Pick<EngineServices, 'decisions'>,
  state: Pick<State, 'get'>,
  { modelId }: DecisionDefinition,
  seed: string,
): { readonly seed?: string } => (services.decisions.of(state, modelId).chancy === true ? { seed } : {});

/** Versions that are looked through for a tag. */
const VERSIONS_MAX = 500;
/** Among how many keys the nearest one is looked for. */
const KEYS_MAX = 500;

/** The version of a decision that a task names. @throws NOT_FOUND */
export function findDecision(state: State, request: DecisionRequest, processDefinitionId: string): DecisionDefinition {
  const { key, binding } = request;
  const found = candidates(state, request, processDefinitionId).find((it) => it.key === key && !it.deleting);
  if (found !== undefined) return found;
  const wanted = { latest: '', deployment: ' in the deployment of its process' } as const;
  const which =
    binding === 'version'
      ? ` in version ${request.version}`
      : binding === 'versionTag'
        ? ` with version tag '${request.versionTag}'`
        : wanted[binding];
  const meant = nearest(
    key,
    state.range(decisionDefinitions, 'latest', [1], KEYS_MAX).map((it) => it.key),
  );
  const hint = meant === undefined || meant === key ? '' : `; the nearest is '${meant}'`;
  throw new ServiceError('NOT_FOUND', `expected a decision with key '${key}'${which}, but none is deployed${hint}`, {
    reason: 'decision_definition_not_found',
    resourceId: key,
  });
}

function candidates(state: State, request: DecisionRequest, processDefinitionId: string): DecisionDefinition[] {
  const { key, binding, version, versionTag } = request;
  switch (binding) {
    case 'deployment': {
      const deploymentId = state.get(processDefinitions, processDefinitionId)?.deploymentId;
      return deploymentId === undefined ? [] : state.find(decisionDefinitions, 'deployment', [deploymentId, key]);
    }
    case 'version':
      return version === null ? [] : state.find(decisionDefinitions, 'key', [key, -version]);
    case 'versionTag':
      return state
        .range(decisionDefinitions, 'key', [key], VERSIONS_MAX)
        .filter((it) => it.key === key && it.versionTag === versionTag);
    default:
      return state.find(decisionDefinitions, 'latest', [1, key]);
  }
}
