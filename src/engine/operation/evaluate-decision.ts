import { badRequest, limitExceeded, ServiceError } from '../../shared/errors.js';
import { type Ask, type Asking, type CommandContext, operation, type State } from '../../store/index.js';
import type { DecisionDefinition } from '../collections.js';
import type { DecisionOutcome } from '../decision/outcome.js';
import type { LongDecision } from '../element/decision-task.js';
import type { Variables } from '../element/instance-state.js';
import type { EngineServices } from '../engine-services.js';
import { findDecisionDefinition } from '../reading.js';
import { typedVariables, type VariableInput } from '../rule/given-value.js';
import { Changes } from '../run/changes.js';
import { chanceIn, decide, findDecision } from '../run/decide.js';
import { isKeptWhole, noteDecision } from '../run/note-decision.js';

/** Input of `evaluateDecision`: one of key and id; with both, the id counts. */
interface EvaluateDecision {
  /** The newest version of this key. */
  readonly key?: string | null;
  readonly id?: string | null;
  readonly variables?: readonly VariableInput[] | null;
}

/**
 * Decides, and keeps that in the history; answers the evaluation's id. Allowed to everyone signed in.
 * @throws BAD_REQUEST (neither key nor id; a variable), NOT_FOUND, EXECUTION_FAILED (the decision, the rule, the expression, why), LIMIT_EXCEEDED (the result)
 */
export const evaluateDecision = (services: EngineServices) =>
  operation<EvaluateDecision, string>('evaluateDecision', (state, input, context) => {
    const definition = definitionOf(state, input);
    const variables = typedVariables(input.variables);
    const outcome = outcomeOf(services, state, context, { definition, variables });
    if ('ask' in outcome) return outcome;
    if (!isKeptWhole(outcome))
      throw limitExceeded('expected a result of the decision that can be kept, of at most 60000 characters');
    const changes = new Changes();
    const id = state.ids.next();
    noteDecision(changes, { id, definition, time: state.now, userId: context.caller.userId, outcome });
    return changes.decision(id);
  });

function definitionOf(state: State, { id, key }: EvaluateDecision): DecisionDefinition {
  if (!id && !key) throw badRequest("expected 'key' or 'id' to evaluate a decision, but found neither");
  if (!id) {
    const request = { key: key ?? '', binding: 'latest', version: null, versionTag: null, variables: {} } as const;
    return findDecision(state, request, '');
  }
  const found = findDecisionDefinition(state, { id });
  if (found !== undefined) return found;
  throw new ServiceError('NOT_FOUND', `expected a decision definition with id '${id}', but there is none`, {
    reason: 'decision_definition_not_found',
    resourceId: id,
  });
}

function outcomeOf(
  services: EngineServices,
  state: State,
  { answers, seed }: CommandContext,
  { definition, variables }: { readonly definition: DecisionDefinition; readonly variables: Variables },
): DecisionOutcome | Asking {
  // What was asked for once is not tried in line again.
  const asked = answers.find(({ ask }) => isAbout(ask, definition));
  if (asked === undefined) {
    const { now } = state;
    const { key: decisionId, modelId } = definition;
    const about = { now, variables, ...chanceIn(services, state, definition, seed) };
    const question: LongDecision = { modelId, decisionId, ...about };
    return decide(services, state, definition, about) ?? { ask: { kind: 'decision', question } };
  }
  if ('error' in asked.answer) {
    throw new ServiceError('EXECUTION_FAILED', asked.answer.error.message, { reason: 'decision_failed' });
  }
  return asked.answer.value as DecisionOutcome;
}

function isAbout({ kind, question }: Ask, { key, modelId }: DecisionDefinition): boolean {
  const asked = question as LongDecision;
  return kind === 'decision' && asked.decisionId === key && asked.modelId === modelId;
}
