import { idSource, seedFrom } from '../../shared/ids.js';
import { mayStart } from '../../shared/rights/processes.js';
import { processDefinitions, type Subscription, subscriptions } from '../collections.js';
import { startHolds } from '../element/condition.js';
import type { RunContext, Variables } from '../element/instance-state.js';
import type { EngineServices } from '../engine-services.js';
import { bounded, typedVariables, type VariableInput } from '../rule/given-value.js';
import { sceneOf, startInstance, startOperation } from '../run/instance-operation.js';
import type { RunEnd } from '../run/run-instance.js';
import type { RunScene } from '../run/told-context.js';

/** Input of `evaluateConditions`. */
interface EvaluateConditions {
  /** Of the instances that start. */
  readonly businessKey?: string | null;
  readonly variables?: readonly VariableInput[] | null;
}

/**
 * Starts an instance of each process that begins by a condition which holds for these variables, unless it is suspended, or the caller may not start it.
 * Answers the ids of the instances, run to where every token waits. Allowed to everyone signed in.
 * @throws BAD_REQUEST (a variable), EXECUTION_FAILED (a condition, or what an instance does)
 */
export const evaluateConditions = (services: EngineServices) =>
  startOperation<EvaluateConditions, readonly string[]>('evaluateConditions', (state, input, context) => {
    const scene = sceneOf(services, state, context);
    const given: Given = {
      businessKey: bounded('businessKey', input.businessKey, 'name'),
      variables: typedVariables(input.variables),
    };
    const started: string[] = [];
    for (const start of state.find(subscriptions, 'name', ['conditional', '', 'start'])) {
      const end = startWhere(scene, start, given);
      if (end === undefined) continue;
      if ('ask' in end) return end;
      started.push(end.instance.id);
    }
    return scene.changes.decision(started);
  });

interface Given {
  readonly businessKey: string | null;
  readonly variables: Variables;
}

/** An instance, where the condition of the start event holds and the caller may start one. */
function startWhere(scene: RunScene, start: Subscription, { businessKey, variables }: Given): RunEnd | undefined {
  const { services, state, context } = scene;
  const definition = state.get(processDefinitions, start.definitionId);
  if (definition?.suspended !== false) return undefined;
  const { candidateStarterUsers: users, candidateStarterGroups: groups } = definition;
  if (!mayStart(context.caller, { users, groups })) return undefined;
  const { elementId: element, part } = start;
  const program = services.programs.of(state, definition.id);
  const holds = startHolds(program, { element, part }, variables, contextOf(scene, start, businessKey));
  if (holds === false) return undefined;
  if (holds !== true) return holds;
  // Each instance has variables of its own.
  const request = {
    command: 'evaluateConditions',
    definition,
    element,
    part,
    businessKey,
    variables: { ...variables },
  };
  return startInstance(scene, request);
}

function contextOf(
  { services, state, context }: RunScene,
  { id, definitionId }: Subscription,
  businessKey: string | null,
): RunContext {
  return {
    now: state.now,
    ids: idSource(seedFrom(context.seed, id), state.now),
    instanceId: '',
    definitionId,
    businessKey,
    userId: context.caller.userId,
    groups: () => context.caller.groups,
    answers: context.answers,
    handler: (name) => services.handlers.kind(name),
    stepsMax: 1,
  };
}
