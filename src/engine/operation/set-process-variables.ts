import type { EngineServices } from '../engine-services.js';
import { instanceNotFound } from '../errors.js';
import { requireInstanceRight } from '../rule/rights.js';
import { typedVariables, type VariableInput } from '../rule/typed-value.js';
import { instanceOperation } from '../run/instance-operation.js';
import { sceneOf } from '../run/open-task.js';
import { presentInstance } from '../run/present-instance.js';
import { runInstance } from '../run/run-instance.js';

/** Input of `setProcessVariables`. */
export interface SetProcessVariables {
  readonly processInstanceId: string;
  readonly variables: readonly VariableInput[];
}

/**
 * Replaces the variables of the process scope: what is not in the list goes, and an empty list clears them all. Answers the instance's id.
 * Allowed to its starter, supervisors and administrators, also while it is suspended.
 * @throws NOT_FOUND, BAD_REQUEST (a variable), FORBIDDEN, CONFLICT (it has ended)
 */
export const setProcessVariables = (services: EngineServices) =>
  instanceOperation<SetProcessVariables, string>(
    'setProcessVariables',
    (state, { processInstanceId, variables: given }, context) => {
      const instance = presentInstance(state, processInstanceId);
      if (instance === undefined) throw instanceNotFound(processInstanceId);
      requireInstanceRight(context.caller, instance, 'set the variables of process instance');
      const variables = typedVariables(given);
      const held = instance.state.scopes.find((scope) => scope.parent === null);
      const large = instance.spilled.filter((it) => it.scope === held?.id).map((it) => it.name);
      const removed = [...Object.keys(held?.variables ?? {}), ...large].filter(
        (name) => !Object.hasOwn(variables, name),
      );
      const scene = sceneOf(services, state, context);
      const input = { type: 'setVariables', tokenId: null, local: true, variables, removed } as const;
      const end = runInstance(scene, { command: 'setProcessVariables', instance, event: 'modify', input });
      return 'ask' in end ? end : scene.changes.decision(processInstanceId);
    },
    (_, { processInstanceId }) => processInstanceId,
  );
